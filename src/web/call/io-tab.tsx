import { callText } from '../text/call.ts'
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
    <h3 class={css.head}>{callText.inputs}</h3>
    <PayloadTab
      projectId={projectId}
      callId={callId}
      path="inputs"
      name={callText.inputs}
      isEnded
      maxHeight={inputsHeight}
    />
    <h3 class={css.head}>{callText.output}</h3>
    <PayloadTab
      projectId={projectId}
      callId={callId}
      path="output"
      name={callText.output}
      isEnded={isEnded}
      maxHeight={520}
    />
  </div>
)
