import { Coins, FolderOpen, Plus } from 'lucide'
import { useState } from 'preact/hooks'
import { createPrice, type Price, pricesQuery, removePrice } from '../../api/settings.ts'
import { Button } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Section } from '../../components/display/section.tsx'
import { Table } from '../../components/display/table.tsx'
import { ConfirmDialog } from '../../components/overlays/confirm-dialog.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatExact } from '../../format/number.ts'
import { formatDate } from '../../format/time.ts'
import { navigate } from '../../state/location.ts'
import { homePath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { usePlace } from '../../state/use-place.ts'
import { partsText } from '../../text/parts.ts'
import { accessText } from '../../text/settings/access.ts'
import { settingsText } from '../../text/settings/settings.ts'
import { pricesText } from '../../text/settings/settings-pages.ts'
import { shellText } from '../../text/shell.ts'
import { FormDialog } from './form-dialog.tsx'
import css from './settings.module.css'

const parts = ['input', 'cacheRead', 'cacheWrite', 'output'] as const

/** Asks for a price in dollars per million tokens, as providers print them. */
function NewPriceDialog({ projectId, onClose, onMade }: NewPriceDialogProps) {
  const [model, setModel] = useState('')
  const [typed, setTyped] = useState({ input: '', cacheRead: '0', cacheWrite: '0', output: '' })
  const isReady = model.trim() !== '' && parts.every((part) => isPrice(typed[part]))
  const save = async (): Promise<void> => {
    await createPrice(projectId, model.trim(), {
      prompt_token_cost: perToken(typed.input),
      completion_token_cost: perToken(typed.output),
      cache_read_input_token_cost: perToken(typed.cacheRead),
      cache_creation_input_token_cost: perToken(typed.cacheWrite),
    })
    onMade()
  }
  return (
    <FormDialog title={pricesText.add} action={pricesText.save} isReady={isReady} save={save} onClose={onClose}>
      {(problem) => (
        <>
          <Field
            label={pricesText.model}
            hint={pricesText.modelHint}
            autofocus
            value={model}
            error={problem}
            onInput={(event) => setModel(event.currentTarget.value)}
          />
          <div class={css.pair}>
            {parts.map((part) => (
              <Field
                key={part}
                label={`${pricesText[part]}, $`}
                value={typed[part]}
                error={typed[part] === '' || isPrice(typed[part]) ? undefined : pricesText.wrong}
                onInput={(event) => setTyped({ ...typed, [part]: event.currentTarget.value })}
              />
            ))}
          </div>
        </>
      )}
    </FormDialog>
  )
}

const isPrice = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number.isFinite(Number(text))

const perToken = (perMillion: string): number => Number((Number(perMillion) / 1_000_000).toPrecision(12))

interface NewPriceDialogProps {
  readonly projectId: string
  readonly onClose: () => void
  readonly onMade: () => unknown
}

/** A project's own prices. */
export default function Prices() {
  const { projectId } = usePlace()
  const { data, error, refetch } = useQuery({ ...pricesQuery(projectId), enabled: projectId !== undefined })
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Price>()
  const readAgain = () => queries.invalidateQueries({ queryKey: pricesQuery(projectId).queryKey })
  if (projectId === undefined) {
    return (
      <EmptyState
        icon={FolderOpen}
        title={pricesText.noProject}
        action={<Button onClick={() => navigate(homePath)}>{shellText.allProjects}</Button>}
      >
        {pricesText.noProjectReason}
      </EmptyState>
    )
  }
  return (
    <Section
      title={settingsText.sections.prices}
      lead={pricesText.lead(projectId)}
      action={
        canWrite.value && (
          <Button icon={Plus} onClick={() => setAdding(true)}>
            {pricesText.add}
          </Button>
        )
      }
    >
      {error ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr 1fr 1fr 80px" rows={3} height={40} />
      ) : data.length === 0 ? (
        <EmptyState icon={Coins} title={pricesText.none}>
          {pricesText.noneReason}
        </EmptyState>
      ) : (
        <Table
          label={settingsText.sections.prices}
          columns={[
            { id: 'model', name: pricesText.model, isWide: true },
            { id: 'input', name: pricesText.input, isNumber: true },
            { id: 'cacheRead', name: pricesText.cacheRead, isNumber: true, isExtra: true },
            { id: 'cacheWrite', name: pricesText.cacheWrite, isNumber: true, isExtra: true },
            { id: 'output', name: pricesText.output, isNumber: true },
            { id: 'from', name: pricesText.from, isNumber: true, isExtra: true },
            { id: 'menu', name: <span class="sr-only">{partsText.actions}</span>, isNumber: true },
          ]}
          rows={data.map((price) => ({
            id: price.id,
            cells: {
              model: price.llm_id,
              input: perMillion(price.prompt_token_cost),
              cacheRead: perMillion(price.cache_read_input_token_cost),
              cacheWrite: perMillion(price.cache_creation_input_token_cost),
              output: perMillion(price.completion_token_cost),
              from: price.effective_date ? formatDate(price.effective_date) : '',
              menu: canWrite.value && (
                <MenuButton
                  label={accessText.actions(price.llm_id)}
                  side="end"
                  size="compact"
                  items={[{ label: pricesText.remove, danger: true, run: () => setLeaving(price) }]}
                />
              ),
            },
          }))}
        />
      )}
      {isAdding && <NewPriceDialog projectId={projectId} onClose={() => setAdding(false)} onMade={readAgain} />}
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={pricesText.removeTitle(leaving?.llm_id ?? '')}
        verb={pricesText.remove}
        run={async () => {
          if (leaving) await removePrice(projectId, leaving.id)
          await readAgain()
        }}
      >
        <p>{pricesText.removeText}</p>
      </ConfirmDialog>
    </Section>
  )
}

/** Multiplied without the noise of binary fractions. */
const perMillion = (perToken: number | null): string =>
  perToken === null ? '' : `$${formatExact(Number((perToken * 1_000_000).toPrecision(12)))}`
