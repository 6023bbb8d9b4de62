import { useState } from 'preact/hooks'
import { post } from '../api/client.ts'
import { Button } from '../components/controls/button.tsx'
import { CopyButton } from '../components/controls/copy-button.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { Banner } from '../components/states/banner.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { type CodeLanguage, codeLanguages, type EvaluatedByCode, evaluationCode } from '../snippets/evaluation-code.ts'
import { serveCommand } from '../snippets/snippet.ts'
import { SnippetCards } from '../snippets/snippet-cards.tsx'
import { useQuery } from '../state/query-signal.ts'
import { session } from '../state/session.ts'
import { evaluationCodeText as words } from '../text/evaluation/evaluation-code.ts'
import { startText } from '../text/start.ts'
import css from './code-dialog.module.css'

interface CodeDialogProps {
  readonly projectId: string
  readonly of: Omit<EvaluatedByCode, 'columns'>
  /** Whether it stands in for a run of a program that stopped. */
  readonly isAgain?: boolean
  readonly onClose: () => void
}

/** Programs that evaluate a model of their own over a version of a dataset. */
export default function CodeDialog({ projectId, of, isAgain = false, onClose }: CodeDialogProps) {
  const [language, setLanguage] = useState<CodeLanguage>('python')
  const { data, error, refetch } = useQuery(columnsQuery(projectId, of.dataset))
  const who = session.value
  const facts = { url: who?.public_url ?? location.origin, projectId, key: startText.keyPlaceholder }
  const command = serveCommand(
    { ...facts, grpcUrl: null, command: who?.command ?? 'tracelake', dataFolder: who?.data_folder ?? null },
    '--dialect weave',
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      class={css.dialog}
      foot={
        <Button hint="esc" autofocus onClick={onClose}>
          {words.close}
        </Button>
      }
    >
      <p>{isAgain ? words.again(of.evaluation) : words.lead(of.evaluation)}</p>
      {who?.dialect === 'ext' && (
        <Banner action={<CopyButton text={command} />}>
          {startText.dialect} <code>{command}</code>
        </Banner>
      )}
      <Segments
        label={words.language}
        options={codeLanguages.map((id) => ({ id, label: words.languages[id] }))}
        current={language}
        onSelect={setLanguage}
      />
      {error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows columns="1fr" rows={8} height={20} />
      ) : (
        <SnippetCards steps={evaluationCode(language, { ...of, columns: data }, facts)} facts={facts} />
      )}
    </Dialog>
  )
}

/** Reads the columns of the first row of a version of a dataset. */
const columnsQuery = (projectId: string, dataset: string) => ({
  queryKey: ['dataset columns', projectId, dataset],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly string[]> => {
    const [, name = '', digest = ''] = /\/object\/([^:/]+):([^/]+)/.exec(dataset) ?? []
    const body = { project_id: projectId, object_id: decodeURIComponent(name), digest }
    const { obj } = await post<{ obj: { val: { rows?: unknown } } }>('/obj/read', body, { signal })
    const table = typeof obj.val.rows === 'string' ? obj.val.rows.split('/').at(-1) : undefined
    if (table === undefined) return []
    const page = { project_id: projectId, digest: table, limit: 1 }
    const { rows } = await post<{ rows: { val: unknown }[] }>('/table/query', page, { signal })
    const first = rows[0]?.val
    return typeof first === 'object' && first !== null ? Object.keys(first) : []
  },
})
