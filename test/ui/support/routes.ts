import { parcel } from './damaged-parcel.ts'
import { odd } from './odd-project.ts'
import { boardId, emptyBoardId } from './seed-boards.ts'
import { datasetName, editedPrompt, promptName } from './seed-support.ts'
import type { World } from './world.ts'

/** A page of the UI. */
export interface UiRoute {
  readonly name: string
  /** Below the server's address, with what its search part may hold. */
  path(world: World): string
  /** Whether the page is shown without a session. */
  readonly isPublic?: boolean
}

const inProject = (tail: string) => () => `/ui/acme/support/${tail}`

const comparisonOf = (ids: readonly string[]) => `/ui/acme/runs/evaluations/compare?runs=${ids.join(',')}`

const judged = 'human=score:task_solved&cell=true,false&judge_as=from:4'

/** Every route of the UI, in the states that people see. */
export const routes: readonly UiRoute[] = [
  { name: 'login', path: () => '/ui/login', isPublic: true },
  { name: 'projects', path: () => '/ui/' },
  { name: 'start of an empty project', path: () => '/ui/acme/new/start' },
  { name: 'start', path: inProject('start') },
  { name: 'traces', path: inProject('traces') },
  { name: 'traces, filtered', path: inProject(`traces?f=${encodeURIComponent('latency>1s')}`) },
  { name: 'traces, none', path: inProject(`traces?f=${encodeURIComponent('op="nothing"')}`) },
  { name: 'calls', path: inProject('calls') },
  { name: 'trace', path: ({ support }) => `/ui/acme/support/trace/${support.trace[0]!.start.trace_id}` },
  {
    name: 'trace that failed',
    path: ({ support }) => `/ui/acme/support/trace/${support.failedTrace[0]!.start.trace_id}`,
  },
  {
    name: 'trace that runs',
    path: ({ support }) => `/ui/acme/support/trace/${support.runningTrace[0]!.start.trace_id}`,
  },
  { name: 'trace with media', path: inProject(`trace/${parcel.traceId}?call=${parcel.chatId}`) },
  { name: 'shared trace', path: ({ links }) => links.open, isPublic: true },
  { name: 'shared trace, revoked', path: ({ links }) => links.revoked, isPublic: true },
  { name: 'trace, missing', path: inProject('trace/none') },
  {
    name: 'compare',
    path: ({ support: { trace, otherTrace } }) =>
      `/ui/acme/support/compare?ids=${trace[0]!.start.trace_id},${otherTrace[0]!.start.trace_id}`,
  },
  { name: 'threads', path: inProject('threads') },
  { name: 'thread', path: ({ support }) => `/ui/acme/support/thread/${support.threadId}` },
  { name: 'object', path: inProject(`object/${promptName}/v0`) },
  { name: 'object, compared', path: inProject(`object/${promptName}?from=v0&to=v1`) },
  { name: 'object, versions', path: inProject(`object/${promptName}?tab=versions`) },
  { name: 'objects', path: inProject('objects') },
  { name: 'objects, none match', path: inProject('objects?find=nothing') },
  { name: 'objects of an empty project', path: () => '/ui/acme/new/objects' },
  { name: 'prompts', path: inProject('prompts') },
  { name: 'prompts of an empty project', path: () => '/ui/acme/new/prompts' },
  { name: 'prompt', path: inProject(`prompts/${editedPrompt}`) },
  { name: 'prompt, versions', path: inProject(`prompts/${editedPrompt}?tab=versions`) },
  { name: 'prompt, compared', path: inProject(`prompts/${editedPrompt}?from=v1&to=v2`) },
  { name: 'prompt, missing', path: inProject('prompts/none') },
  { name: 'prompt of another class', path: inProject(`prompts/${promptName}`) },
  { name: 'playground', path: inProject('playground') },
  { name: 'playground with a prompt', path: inProject(`playground?prompt=${editedPrompt}`) },
  { name: 'playground, call missing', path: inProject('playground?call=none') },
  { name: 'playground of an empty project', path: () => '/ui/acme/new/playground' },
  { name: 'playground with pictures', path: inProject(`playground?call=${parcel.chatId}`) },
  { name: 'playground from right to left', path: () => `/ui/${odd.projectId}/playground?call=${odd.chatId}` },
  { name: 'datasets', path: inProject('datasets') },
  { name: 'datasets of an empty project', path: () => '/ui/acme/new/datasets' },
  { name: 'dataset', path: inProject(`datasets/${datasetName}`) },
  { name: 'dataset, filtered', path: inProject(`datasets/${datasetName}?f=${encodeURIComponent('price > 1')}`) },
  { name: 'dataset, versions', path: inProject(`datasets/${datasetName}?tab=versions`) },
  { name: 'dataset, compared', path: inProject(`datasets/${datasetName}?from=v0&to=v1`) },
  { name: 'dataset, missing', path: inProject('datasets/none') },
  { name: 'dataset, version missing', path: inProject(`datasets/${datasetName}/v9`) },
  { name: 'import of a file', path: inProject('dataset-import') },
  { name: 'import into a dataset', path: inProject(`dataset-import?into=${datasetName}`) },
  {
    name: 'calls to a dataset',
    path: ({ support: { trace, otherTrace } }) =>
      `/ui/acme/support/calls-to-dataset?ids=${trace[0]!.start.id},${otherTrace[0]!.start.id}`,
  },
  { name: 'calls to a dataset, none chosen', path: inProject('calls-to-dataset') },
  { name: 'object, missing', path: inProject('object/none') },
  { name: 'evaluations', path: () => '/ui/acme/runs/evaluations' },
  { name: 'evaluations of an empty project', path: () => '/ui/acme/new/evaluations' },
  { name: 'evaluation run', path: ({ runs }) => `/ui/acme/runs/evaluations/${runs.ids[2]}` },
  { name: 'evaluation run, missing', path: () => '/ui/acme/runs/evaluations/none' },
  { name: 'judge check', path: ({ runs }) => `/ui/acme/runs/evaluations/judge?runs=${runs.ids[0]}&${judged}` },
  { name: 'judge check, no labels', path: ({ runs }) => `/ui/acme/runs/evaluations/judge?runs=${runs.ids[0]}` },
  { name: 'judge check, no run', path: () => '/ui/acme/runs/evaluations/judge' },
  { name: 'leaderboards', path: () => '/ui/acme/runs/leaderboards' },
  { name: 'leaderboards of an empty project', path: () => '/ui/acme/new/leaderboards' },
  { name: 'leaderboard', path: () => '/ui/acme/runs/leaderboards/airline-agents' },
  { name: 'leaderboard, missing', path: () => '/ui/acme/runs/leaderboards/none' },
  { name: 'scorers', path: () => '/ui/acme/runs/scorers' },
  { name: 'scorers of an empty project', path: () => '/ui/acme/new/scorers' },
  { name: 'scorer, a judge', path: () => '/ui/acme/runs/scorers/policy_judge' },
  { name: 'scorer, preview', path: () => '/ui/acme/runs/scorers/policy_judge?tab=preview' },
  { name: 'scorer, versions', path: () => '/ui/acme/runs/scorers/policy_judge?tab=versions' },
  { name: 'scorer, built-in', path: () => '/ui/acme/runs/scorers/task_solved' },
  { name: 'scorer, missing', path: () => '/ui/acme/runs/scorers/none' },
  { name: 'comparison of runs', path: ({ runs }) => comparisonOf(runs.ids) },
  {
    name: 'comparison of runs, sliced and unfolded',
    path: ({ runs }) => `${comparisonOf(runs.ids)}&slice=tag&show=changed&sort=loss`,
  },
  { name: 'comparison of one run', path: ({ runs }) => comparisonOf(runs.ids.slice(0, 1)) },
  { name: 'queues', path: inProject('queues') },
  { name: 'queues of an empty project', path: () => '/ui/acme/new/queues' },
  { name: 'queue', path: ({ support }) => `/ui/acme/support/queue/${support.queueId}` },
  { name: 'queue, reviewed', path: ({ support }) => `/ui/acme/support/queue/${support.queueId}/work` },
  { name: 'queue, overview', path: ({ support }) => `/ui/acme/support/queue/${support.judgedQueueId}` },
  { name: 'queue, its items', path: ({ support }) => `/ui/acme/support/queue/${support.judgedQueueId}?tab=items` },
  { name: 'queue, deciding', path: ({ support }) => `/ui/acme/support/queue/${support.judgedQueueId}/adjudicate` },
  { name: 'queue, nothing to decide', path: ({ support }) => `/ui/acme/support/queue/${support.queueId}/adjudicate` },
  {
    name: 'queue to dataset',
    path: ({ support }) => `/ui/acme/support/calls-to-dataset?queue=${support.judgedQueueId}`,
  },
  { name: 'queue, missing', path: inProject('queue/none') },
  { name: 'feedback', path: inProject('feedback') },
  { name: 'feedback of an empty project', path: () => '/ui/acme/new/feedback' },
  { name: 'live', path: inProject('live') },
  { name: 'dashboards', path: inProject('dashboards') },
  { name: 'dashboard of cards', path: inProject(`dashboards/${boardId}`) },
  { name: 'dashboard, edited', path: inProject(`dashboards/${boardId}?edit=1`) },
  { name: 'dashboard, card open', path: inProject(`dashboards/${boardId}?edit=1&card=latency`) },
  { name: 'dashboard without cards', path: inProject(`dashboards/${emptyBoardId}`) },
  { name: 'dashboard, missing', path: inProject('dashboards/none') },
  { name: 'list of dashboards', path: inProject('dashboard-list') },
  { name: 'list of dashboards, none match', path: inProject('dashboard-list?find=nothing') },
  { name: 'list of dashboards of an empty project', path: () => '/ui/acme/new/dashboard-list' },
  ...[
    'appearance',
    'account',
    'keys',
    'people',
    'secrets',
    'audit',
    'rules',
    'alerts',
    'runtimes',
    'prices',
    'retention',
    'links',
    'storage',
    'health',
    'jobs',
  ].map((section) => ({
    name: `settings: ${section}`,
    path: () => `/ui/settings/${section}`,
  })),
  { name: 'settings: alert, missing', path: () => '/ui/settings/alerts?alert=none' },
  { name: 'traces with odd values', path: () => `/ui/${odd.projectId}/traces` },
  { name: 'calls with columns of odd values', path: () => `/ui/${odd.projectId}/calls?c=${odd.columns}` },
  { name: 'chat from right to left', path: () => `/ui/${odd.projectId}/trace/${odd.chatId}?tab=chat` },
  { name: 'threads from right to left', path: () => `/ui/${odd.projectId}/threads` },
  { name: 'thread from right to left', path: () => `/ui/${odd.projectId}/thread/${encodeURIComponent(odd.threadId)}` },
  { name: 'settings: rule, missing', path: () => '/ui/settings/rules?rule=none' },
  { name: 'traces of one call', path: () => `/ui/${odd.oneCallId}/traces` },
  { name: 'dashboards of one call', path: () => `/ui/${odd.oneCallId}/dashboards` },
  { name: 'SQL', path: () => '/ui/sql' },
  { name: 'SQL with a statement', path: () => `/ui/sql#${new URLSearchParams({ q: 'select *\nfrom calls' })}` },
  { name: 'not found', path: () => '/ui/nothing/here/at/all' },
]
