import { Gauge } from 'lucide'
import { Button, IconButton } from '../components/controls/button.tsx'
import { judgeCheckPath } from '../state/judging-paths.ts'
import { navigate } from '../state/location.ts'
import { useIsPhone } from '../state/use-media.ts'
import { judgeCheckText } from '../text/evaluation/judge-check.ts'

/** Opens the page that compares the judge of a run with people. */
export function CheckJudgeButton({ projectId, run }: { projectId: string; run: string }) {
  const open = () => navigate(judgeCheckPath(projectId, [run]))
  return useIsPhone() ? (
    <IconButton of={Gauge} label={judgeCheckText.open} onClick={open} />
  ) : (
    <Button kind="quiet" icon={Gauge} onClick={open}>
      {judgeCheckText.open}
    </Button>
  )
}
