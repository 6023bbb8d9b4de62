import { memberOf } from '../../../lib/present.ts'
import { post, postRaw } from '../../api/client.ts'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { opName, opRef } from '../../format/ids.ts'
import { useQuery } from '../../state/query-signal.ts'
import { callText } from '../../text/trace/call.ts'
import css from './code-tab.module.css'

interface ObjectAnswer {
  readonly obj: { readonly version_index: number; readonly val: unknown }
}

/** Source of the op that was called, as the client sent it. */
export default function CodeTab({ projectId, op }: { projectId: string; op: string }) {
  const code = useQuery<{ source: string | undefined; version: number } | null>({
    queryKey: ['code', projectId, op],
    queryFn: ({ signal }) => readCode(projectId, op, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (code.error && !code.data) return <ErrorState error={code.error} retry={() => void code.refetch()} />
  if (code.data === undefined) return <LoadingRows columns="1fr" rows={8} height={20} />
  return (
    <div class={css.tab}>
      <div class={css.head}>
        <span class="cut">{opName(op)}</span>
        {code.data && (
          <span class={css.version}>
            {callText.version} {code.data.version}
          </span>
        )}
        {code.data?.source !== undefined && <CopyButton text={code.data.source} />}
      </div>
      {code.data?.source === undefined ? (
        <p class={css.none}>{callText.codeMissing}</p>
      ) : (
        <pre class={css.code} tabIndex={0}>
          {code.data.source}
        </pre>
      )}
    </div>
  )
}

async function readCode(projectId: string, op: string, signal: AbortSignal) {
  const [, object_id, digest] = opRef.exec(op) ?? []
  if (object_id === undefined) return null
  const { obj } = await post<ObjectAnswer>('/obj/read', { project_id: projectId, object_id, digest }, { signal })
  const files: unknown = memberOf(obj.val, 'files')
  const file: unknown = memberOf(files, 'obj.py') ?? Object.values(files ?? {})[0]
  if (typeof file !== 'string') return { source: undefined, version: obj.version_index }
  const response = await postRaw('/file/content', { project_id: projectId, digest: file }, { signal })
  return { source: await response.text(), version: obj.version_index }
}
