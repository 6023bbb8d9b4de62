const counted = new Intl.NumberFormat('en')
const plural = (count: number, one: string, many = `${one}s`): string =>
  `${counted.format(count)} ${count === 1 ? one : many}`

/** Words about the answers of reviewers: agreement, decisions, gold items, and what follows. */
export const agreementText = {
  overview: 'Overview',
  reading: 'Reading the answers',
  answersOf: (answers: number, asked: number) => `${counted.format(answers)} of ${plural(asked, 'answer')}`,
  facts: (items: number, reviewers: number, claimed: number, gold: number | undefined) =>
    [
      plural(items, 'item'),
      reviewers === 1 ? '1 reviewer each' : `${reviewers} reviewers each`,
      ...(claimed > 0 ? [`${counted.format(claimed)} claimed now`] : []),
      ...(gold ? [`${counted.format(gold)} gold ${gold === 1 ? 'item' : 'items'} inside`] : []),
    ].join(' · '),
  recent: (answers: number) => `${plural(answers, 'answer')} today`,
  byAnswers: (answers: number, asked: number) =>
    answers === 0
      ? 'none yet'
      : answers === asked
        ? asked === 1
          ? 'answered'
          : asked === 2
            ? 'both answers in'
            : 'all answers in'
        : answers === 1
          ? 'one answer in'
          : `${answers} answers in`,
  reviewers: 'Reviewers',
  reviewersAbout: 'Median: seconds from the claim, or the answer before, to the answer',
  goldAbout: 'Gold items have known answers; the range is the 95% Wilson interval',
  nobody: 'No answers yet.',
  heads: {
    who: 'Reviewer',
    answers: 'Answers',
    today: 'Today',
    skips: 'Skipped',
    median: 'Median',
    gold: 'Gold right',
    last: 'Last answer',
    item: 'Item',
    input: 'Input',
    field: 'Question',
    answer: (number: number) => `Answer ${number}`,
    decide: 'Decide',
  },
  skipsOf: (reasons: readonly { readonly reason: string; readonly count: number }[]) =>
    reasons.map(({ reason, count }) => `${reason || 'no reason'} ${count}`).join(', '),
  rightOf: (right: number, answered: number) => `${right} of ${answered}`,
  percents: (low: number, high: number) => `${Math.round(low * 100)}–${Math.round(high * 100)}%`,
  disagreements: 'Disagreements',
  noDisagreements: 'No disagreements among the items with all their answers.',
  oneReviewer: 'Each item has one answer, so nobody can disagree: ask for two reviewers or more.',
  all: 'All',
  ofField: 'Question of the disagreements',
  decide: (count: number) => `Decide ${counted.format(count)}`,
  decideShort: 'decide disagreements',
  decided: 'decided',
  agreement: 'Agreement',
  agreementAbout: '95% bootstrap over items, axis 0–1',
  agreementTip:
    '1 is full agreement, 0 is what chance gives. Items with one answer do not count. Cohen for two people, Fleiss ' +
    'for the same number of three or more, else Krippendorff; scales and numbers by the squares of differences.',
  coefficients: { cohen: 'Cohen κ', fleiss: 'Fleiss κ', krippendorff: 'Krippendorff α' },
  nothingCompared: 'The form has no question whose answers can be compared: texts and several choices are left out.',
  tooFew: (items: number) => (items < 10 ? 'below 10 items' : 'all answers are equal'),
  countOf: (items: number) => `n ${counted.format(items)}`,
  range: (low: string, high: string) => `${low} to ${high}`,
  questionShown: 'Question whose answers are compared',
  equalOf: (equal: number, items: number) =>
    `${counted.format(equal)} of ${plural(items, 'item')} equal, ${((100 * equal) / Math.max(1, items)).toFixed(1)}%`,
  firstSecond: '1st answer ↓, 2nd →',
  twoWay: 'How often two answers go together',
  sum: 'all',
  pairs: 'Pairs of reviewers',
  pairsAbout: 'Cohen κ, “–” below 10 items',
  skipReasons: 'Skips by reason',
  skippedCount: (count: number) => `${plural(count, 'answer')} skipped`,
  noReason: 'no reason given',
  yes: 'yes',
  no: 'no',
  thisCall: 'the first call',
  otherCall: 'the second call',

  deciding: 'deciding',
  decideTitle: 'Decide where reviewers disagree',
  itemNumber: (position: number) => `Item ${String(position).padStart(3, '0')}`,
  decidedOf: (decided: number, all: number) => `${counted.format(decided)} of ${counted.format(all)} decided`,
  hidden: 'names and order are hidden until you decide',
  kept: 'Agreement is computed from the first answers, decisions do not change it',
  differs: 'differs',
  optional: 'need not be decided',
  agree: 'agree',
  allAnswered: (answers: number) => (answers === 2 ? 'both answered' : `all ${answers} answered`),
  unanswered: 'not answered by all',
  note: (text: string) => `“${text}”`,
  noNote: 'No note.',
  neither: 'Neither, choose another…',
  cannot: 'Cannot be decided',
  another: 'Another answer',
  reason: 'Reason',
  reasonHint: 'the reviewers can read it',
  reasonPlaceholder: 'Why this answer stands',
  decideNext: 'Decide and next',
  fieldsLeft: (left: number, all: number) =>
    left === 0 ? 'All answers are kept.' : `${left} of ${plural(all, 'question')} left. All answers are kept.`,
  formLabel: 'Answers to decide between',
  skip: 'Skip',
  undo: 'Undo',
  allDecided: (count: number) => `All decided: ${counted.format(count)} of ${counted.format(count)}.`,
  nothingToDecide: 'Nothing to decide',
  nothingReason: 'Items appear here when all their answers are in and differ.',
  openQueue: 'Open the queue',
  readOnly: 'Your key can only read, so it cannot decide.',
  alreadyDecided: 'Somebody else has decided this item meanwhile.',
  decideAnyway: 'Decide anyway',
  nextItem: 'Next item',
  gone: 'The item was removed from the queue.',
  keys: {
    take: (number: number) => `Take answer ${number}`,
    takeShort: 'take an answer',
    reason: 'Write the reason',
    skip: 'Skip to the next item',
    undo: 'Take the last decision back',
    decide: 'Decide disagreements',
  },

  toDataset: (count: number) => `${plural(count, 'item')} to dataset`,
  exportMenu: 'What to make of the final answers',
  dataset: 'Rows of a dataset…',
  judgeCheck: 'Labels of a judge check…',
  noneFinal: 'No item has a final answer yet: all its answers have to agree, or somebody decides.',
  noRuns:
    'None of these calls belongs to an evaluation run. Make a dataset of them, run the judge on it, and compare it ' +
    'with the columns of the dataset.',

  goldAction: 'Known answer…',
  goldTitle: (position: number) => `Known answer to item ${position}`,
  goldHint:
    'Reviewers get the item like any other. Only admins see that its answer is known, and who answers it right.',
  goldSave: 'Save',
  goldRemove: 'Ordinary item',
  goldMark: 'gold',
  goldSaved: 'The known answer is saved',
  goldRemoved: 'An ordinary item again',

  from: 'From',
  sources: { filter: 'Filter', thread: 'Thread', judges: 'Disagreeing judges' },
  thread: 'Thread id',
  threadHint: 'All traces or calls of one thread.',
  firstJudge: 'First judge',
  secondJudge: 'Second judge',
  noJudges: 'Two kinds of scores on calls are needed. There are fewer in this project.',
  apart: 'Numbers differ if further apart than',
  order: 'Which of them',
  orders: { newest: 'Newest', sample: 'Random sample' },
  inQueue: (count: number) => `${counted.format(count)} of them ${count === 1 ? 'is' : 'are'} in the queue already.`,
  added: (added: number, duplicates: number, name: string) =>
    duplicates === 0
      ? `${plural(added, 'item')} added to “${name}”`
      : `${plural(added, 'item')} added to “${name}”, ${counted.format(duplicates)} in it already`,
} as const
