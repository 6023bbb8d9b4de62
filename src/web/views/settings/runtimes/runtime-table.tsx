import type { Runtime } from '../../../api/runtimes.ts'
import { CopyButton } from '../../../components/controls/copy-button.tsx'
import { Badge } from '../../../components/display/badge.tsx'
import { Table } from '../../../components/display/table.tsx'
import { MenuButton } from '../../../components/overlays/menu-button.tsx'
import { modelProblemsQuery } from '../../../state/model-problems.ts'
import { useQuery } from '../../../state/query-signal.ts'
import { canWrite } from '../../../state/session.ts'
import { partsText } from '../../../text/parts.ts'
import { accessText } from '../../../text/settings/access.ts'
import { runtimesText as words } from '../../../text/settings/runtimes.ts'
import { settingsText } from '../../../text/settings/settings.ts'
import settings from '../settings.module.css'
import css from './runtimes.module.css'

const shownModelsMax = 5

/** Each runtime with its models, and whether a request would be sent to it. */
export function RuntimeTable({ projectId, runtimes, onChange, onRemove }: RuntimeTableProps) {
  // Whether a request can be sent depends on the runtime, not on the model.
  const asked = runtimes.flatMap(({ runtime_ids: [first] }) => first?.playground_id ?? [])
  const { data: problems } = useQuery(modelProblemsQuery(projectId, asked, 0))
  return (
    <Table
      label={settingsText.sections.runtimes}
      columns={[
        { id: 'name', name: words.name, isWide: true },
        { id: 'models', name: words.models, isExtra: true },
        { id: 'secret', name: words.secret, isExtra: true },
        { id: 'state', name: words.state },
        { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
      ]}
      rows={runtimes.map((runtime) => ({
        id: runtime.name,
        cells: {
          name: (
            <>
              <b class={settings.strong}>{runtime.name}</b>
              <span class={settings.hint}>{runtime.base_url}</span>
              <div class={settings.place}>
                <Models of={runtime} />
              </div>
            </>
          ),
          models: <Models of={runtime} />,
          secret: runtime.api_key_secret !== null && <code>{runtime.api_key_secret}</code>,
          state: <State of={runtime} problems={problems} />,
          menu: canWrite.value && (
            <MenuButton
              label={accessText.actions(runtime.name)}
              side="end"
              size="compact"
              items={[
                { label: words.change, run: () => onChange(runtime) },
                { label: words.remove, danger: true, separator: true, run: () => onRemove(runtime) },
              ]}
            />
          ),
        },
      }))}
    />
  )
}

interface RuntimeTableProps {
  readonly projectId: string
  readonly runtimes: readonly Runtime[]
  readonly onChange: (runtime: Runtime) => void
  readonly onRemove: (runtime: Runtime) => void
}

/** The models, each with the name that requests use. */
const Models = ({ of: { runtime_ids: models } }: { readonly of: Runtime }) => (
  <ul class={css.models}>
    {models.slice(0, shownModelsMax).map(({ id, playground_id: name }) => (
      <li key={id}>
        <code>{id}</code>
        <CopyButton text={name} label={words.copyModel(name)} />
      </li>
    ))}
    {models.length > shownModelsMax && <li class={settings.hint}>{words.more(models.length - shownModelsMax)}</li>}
  </ul>
)

interface StateProps {
  readonly of: Runtime
  /** By the name of a model. */
  readonly problems: ReadonlyMap<string, string> | undefined
}

function State({ of: { runtime_ids: models }, problems }: StateProps) {
  const [first] = models
  if (first === undefined) return <Badge>{words.noModels}</Badge>
  if (problems === undefined) return null
  const problem = problems.get(first.playground_id)
  if (problem === undefined) return <Badge tone="ok">{words.ready}</Badge>
  return (
    <>
      <Badge tone="warn">{words.notReady}</Badge>
      <span class={settings.hint}>{problem}</span>
    </>
  )
}
