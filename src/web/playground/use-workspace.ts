import { useEffect, useRef, useState } from 'preact/hooks'
import { keepWorkspace, keptWorkspace, type Workspace } from './workspace.ts'

const keepMs = 250

/**
 * The workspace of what the playground was opened with: this browser keeps it.
 *
 * @param onLeave called before another workspace takes its place
 */
export function useWorkspace(projectId: string, source: string, onLeave: () => void) {
  const [workspace, setWorkspace] = useState<Workspace | undefined>(() => keptWorkspace(projectId, source))
  const latest = useRef({ source, workspace })
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const keepNow = () => {
    clearTimeout(timer.current)
    if (latest.current.workspace) keepWorkspace(projectId, latest.current.source, latest.current.workspace)
  }
  const put = (next: Workspace) => {
    latest.current = { source, workspace: next }
    setWorkspace(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(keepNow, keepMs)
  }
  /** Changes the workspace as it is now, also after something has been waited for. */
  const change = (changes: Partial<Workspace> | ((now: Workspace) => Partial<Workspace>)) => {
    const now = latest.current.workspace
    if (now) put({ ...now, ...(typeof changes === 'function' ? changes(now) : changes) })
  }
  useEffect(() => {
    addEventListener('pagehide', keepNow)
    return () => {
      removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [projectId])
  // Another address is another workspace.
  useEffect(() => {
    if (latest.current.source === source) return
    keepNow()
    onLeave()
    const kept = keptWorkspace(projectId, source)
    latest.current = { source, workspace: kept }
    setWorkspace(kept)
  }, [source])
  /** Begins a workspace where none is kept; the address may have changed since the last drawing. */
  const begin = (first: Workspace) => {
    if (latest.current.source === source && latest.current.workspace === undefined) put(first)
  }
  return { workspace, begin, change }
}
