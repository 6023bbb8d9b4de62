import { SearchX } from 'lucide'
import { Page } from '../../page/page.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { homePath } from '../../state/paths.ts'
import { shellText } from '../../text/shell.ts'

/** What an address that names no view shows. */
export const NotFound = () => (
  <Page name={shellText.notFound}>
    <EmptyState icon={SearchX} title={shellText.notFound} action={<a href={homePath}>{shellText.goHome}</a>}>
      {shellText.notFoundReason}
    </EmptyState>
  </Page>
)
