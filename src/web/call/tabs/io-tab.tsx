import { callText } from '../../text/trace/call.ts'
import css from './io-tab.module.css'
import { PayloadTab } from './payload-tab.tsx'

const inputsHeight = 320

interface IoTabProps {
  readonly projectId: string
  readonly callId: string
  readonly isEnded: boolean
}

/** Inputs above, output below. */
export const IoTab = ({ projectId, callId, isEnded }: IoTabProps) => (
  <div class={css.both}>
    <PayloadTab
      projectId={projectId}
      callId={callId}
      path="inputs"
      name={callText.inputs}
      isEnded
      isTitled
      maxHeight={inputsHeight}
    />
    <PayloadTab
      projectId={projectId}
      callId={callId}
      path="output"
      name={callText.output}
      isEnded={isEnded}
      isTitled
      maxHeight={520}
    />
  </div>
)
