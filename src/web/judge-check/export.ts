import { saveBlob } from '../api/download.ts'
import { csvBlob, csvLine } from '../format/csv.ts'
import { judgeCheckText as words } from '../text/evaluation/judge-check.ts'
import { readTrials } from './check-data.ts'

const pageTrials = 1_000

/**
 * Saves the trials that are shown as CSV.
 * @param onTrials how many have been read, of how many
 * @throws {Problem}
 */
export async function exportTrials(
  projectId: string,
  asked: Parameters<typeof readTrials>[1],
  onTrials: (done: number, total: number) => void,
): Promise<void> {
  const lines = [csvLine([...words.csv])]
  let after: string | null = null
  do {
    const { trials }: Awaited<ReturnType<typeof readTrials>> = await readTrials(projectId, asked, after, {
      limit: pageTrials,
    })
    for (const trial of trials.items) {
      const reasons = trial.reasons.map(({ name, text }) => `${name}: ${text}`).join('\n')
      const { evaluation_call_id, row_digest, input, output, human_label, judge_label } = trial
      const calls = [trial.predict_and_score_call_id, trial.judge_call_id]
      const classes = [trial.human_class, trial.judge_class]
      const labels = [human_label, judge_label, ...classes]
      lines.push(csvLine([evaluation_call_id, row_digest, input, output, ...labels, reasons, ...calls]))
    }
    onTrials(lines.length - 1, trials.total)
    after = trials.next
  } while (after !== null)
  saveBlob(csvBlob(lines), 'judge-check.csv')
}
