import { useMemo } from 'preact/hooks'
import { Banner } from '../components/states/banner.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { DiffView } from '../diff/diff-view.tsx'
import { prettyJson } from '../diff/pretty-json.ts'
import { formatBytes } from '../format/bytes.ts'
import { stringText } from '../json/string-text.ts'
import { type Payload, usePayload } from '../json/use-payload.ts'
import { compareText } from '../text/compare.ts'
import { jsonText } from '../text/json.ts'

interface ValueDiffProps {
  readonly projectId: string
  readonly path: 'inputs' | 'output'
  readonly baseId: string
  readonly otherId: string
  readonly letter: string
}

/** What a value of one call lost and gained against that of another. */
export function ValueDiff({ projectId, path, baseId, otherId, letter }: ValueDiffProps) {
  const base = usePayload(projectId, baseId, path)
  const other = usePayload(projectId, otherId, path)
  const before = useMemo(() => linesOf(base), [base.text])
  const after = useMemo(() => linesOf(other), [other.text])
  const failed = [base, other].find(({ error }) => error !== undefined)
  if (failed) return <ErrorState error={failed.error} retry={failed.retry} />
  if (base.text === undefined || other.text === undefined) {
    return <LoadingRows columns="40px 1fr" rows={6} height={20} what={jsonText.reading} />
  }
  const isPart = !base.isWhole || !other.isWhole
  return (
    <>
      {isPart && (
        <Banner tone="info">{compareText.partOnly(formatBytes(Math.min(base.text.length, other.text.length)))}</Banner>
      )}
      <DiffView before={before} after={after} letter={letter} />
    </>
  )
}

/** A text as it reads, anything else as JSON with a member a line. */
function linesOf({ text = '' }: Payload): string {
  return text.startsWith('"') ? stringText(text, 0, text.length) : prettyJson(text)
}
