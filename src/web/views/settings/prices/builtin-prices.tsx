import { SearchX } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../../components/controls/button.tsx'
import { SearchField } from '../../../components/controls/search-field.tsx'
import { Section } from '../../../components/display/section.tsx'
import { EmptyState } from '../../../components/states/empty-state.tsx'
import { ErrorState } from '../../../components/states/error-state.tsx'
import { LoadingRows } from '../../../components/states/loading-rows.tsx'
import { formatCount } from '../../../format/number.ts'
import { useQuery } from '../../../state/query-signal.ts'
import { text } from '../../../state/search-text.ts'
import { urlState } from '../../../state/url-state.ts'
import { auditText, pricesText } from '../../../text/settings/settings-pages.ts'
import css from '../settings.module.css'
import { type BuiltinModel, builtinPricesMax, builtinPricesQuery } from './builtin-price.ts'
import { BuiltinTable } from './builtin-table.tsx'

const url = urlState({ find: text() })
const pageRows = 20

/** The prices that ship with the server, found by model and provider. */
export function BuiltinPrices({ projectId, onReplace }: BuiltinPricesProps) {
  const { find } = url.values.value
  const [limit, setLimit] = useState(pageRows)
  const { data, error, refetch } = useQuery(builtinPricesQuery(projectId, find, limit))
  const field = useRef<HTMLInputElement>(null)
  return (
    <Section
      title={pricesText.builtin}
      lead={pricesText.builtinLead}
      action={
        <SearchField
          class={css.find}
          label={pricesText.find}
          value={find}
          onType={(next) => {
            setLimit(pageRows)
            url.replace({ find: next })
          }}
          inputRef={field}
        />
      }
    >
      {error && data === undefined ? (
        <ErrorState error={error} retry={refetch} />
      ) : data === undefined ? (
        <LoadingRows columns="2fr 1fr 1fr 1fr 80px" rows={8} height={40} />
      ) : data.total === 0 ? (
        <EmptyState
          icon={SearchX}
          title={pricesText.noneFound(find)}
          action={<Button onClick={() => url.replace({ find: '' })}>{pricesText.clear}</Button>}
        >
          {pricesText.noneFoundReason}
        </EmptyState>
      ) : (
        <>
          <BuiltinTable models={data.models} onReplace={onReplace} />
          {data.models.length < data.total && (
            <div class={css.more}>
              <span>{pricesText.shown(formatCount(data.models.length), formatCount(data.total))}</span>
              {limit < builtinPricesMax && (
                <Button onClick={() => setLimit(Math.min(limit * 5, builtinPricesMax))}>{auditText.more}</Button>
              )}
            </div>
          )}
        </>
      )}
    </Section>
  )
}

interface BuiltinPricesProps {
  readonly projectId: string
  /** A price of the project takes the place of this model's. */
  readonly onReplace: (model: BuiltinModel) => void
}
