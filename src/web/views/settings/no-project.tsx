import { FolderOpen } from 'lucide'
import { Button } from '../../components/controls/button.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { navigate } from '../../state/location.ts'
import { homePath } from '../../state/paths.ts'
import { shellText } from '../../text/shell.ts'

/** What a section that belongs to a project shows while no project is open. */
export const NoProject = ({
  words,
}: {
  readonly words: { readonly noProject: string; readonly noProjectReason: string }
}) => (
  <EmptyState
    icon={FolderOpen}
    title={words.noProject}
    action={<Button onClick={() => navigate(homePath)}>{shellText.allProjects}</Button>}
  >
    {words.noProjectReason}
  </EmptyState>
)
