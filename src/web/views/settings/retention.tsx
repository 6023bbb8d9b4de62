import { FolderOpen } from 'lucide'
import { useState } from 'preact/hooks'
import { retentionQuery } from '../../api/retention.ts'
import { Button } from '../../components/controls/button.tsx'
import { Facts } from '../../components/display/facts.tsx'
import { Section } from '../../components/display/section.tsx'
import { EmptyState } from '../../components/states/empty-state.tsx'
import { ErrorState } from '../../components/states/error-state.tsx'
import { LoadingRows } from '../../components/states/loading-rows.tsx'
import { formatDate } from '../../format/time.ts'
import { navigate } from '../../state/location.ts'
import { homePath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { isAdmin } from '../../state/session.ts'
import { usePlace } from '../../state/use-place.ts'
import { retentionText } from '../../text/retention.ts'
import { settingsText } from '../../text/settings.ts'
import { shellText } from '../../text/shell.ts'
import { EraseSection } from './erase-section.tsx'
import { RetentionDialog } from './retention-dialog.tsx'

/** For how long a project keeps its calls, and its erasure. */
export default function Retention() {
  const { projectId } = usePlace()
  const { data, error, refetch } = useQuery({ ...retentionQuery(projectId), enabled: projectId !== undefined })
  const [isChanging, setChanging] = useState(false)
  if (projectId === undefined) {
    return (
      <EmptyState
        icon={FolderOpen}
        title={retentionText.noProject}
        action={<Button onClick={() => navigate(homePath)}>{shellText.allProjects}</Button>}
      >
        {retentionText.noProjectReason}
      </EmptyState>
    )
  }
  const readAgain = () => queries.invalidateQueries({ queryKey: retentionQuery(projectId).queryKey })
  const setBy = data?.ext_username && `${data.ext_username}, ${formatDate(data.updated_at ?? '')}`
  return (
    <>
      <Section
        title={settingsText.sections.retention}
        lead={retentionText.lead(projectId)}
        action={isAdmin.value && <Button onClick={() => setChanging(true)}>{retentionText.change}</Button>}
      >
        {error ? (
          <ErrorState error={error} retry={refetch} />
        ) : data === undefined ? (
          <LoadingRows columns="1fr 2fr" rows={2} height={40} />
        ) : (
          <Facts
            facts={[
              [
                retentionText.kept,
                data.retention_days === null ? retentionText.forEver : retentionText.forDays(data.retention_days),
              ],
              ...(setBy ? [[retentionText.setBy, setBy] as [string, string]] : []),
            ]}
          />
        )}
      </Section>
      {isAdmin.value && <EraseSection projectId={projectId} />}
      {isChanging && data && (
        <RetentionDialog
          projectId={projectId}
          days={data.retention_days}
          onClose={() => setChanging(false)}
          onSaved={readAgain}
        />
      )}
    </>
  )
}
