import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem } from '../../api/client.ts'
import { showError } from '../../state/toasts.ts'
import { type Board, isSameBoard } from '../cards/board.ts'
import { reloadBoards, type SavedBoard, saveBoard } from '../saved-dashboards.ts'
import { type BoardDraft, boardDrafts } from './drafts.ts'

const undoMax = 100
/** Letters typed within this time are undone together. */
const togetherMs = 1_500

interface Step {
  readonly board: Board
  /** What was changed, if further changes of it belong to the same step. */
  readonly of: string | undefined
  readonly at: number
}

/** A dashboard and its unsaved changes, which this browser keeps until they are saved. */
export function useBoard(projectId: string, saved: SavedBoard) {
  const [draft, setDraft] = useState<BoardDraft | undefined>(() => boardDrafts.find(projectId, saved.id))
  const [busy, setBusy] = useState(false)
  const past = useRef<Step[]>([])
  const future = useRef<Board[]>([])
  const current = useRef(draft)
  const board = draft?.board ?? saved.board
  const put = (next: Board): void => {
    const startedFrom = current.current?.startedFrom ?? saved.digest
    const isBack = startedFrom === saved.digest && isSameBoard(next, saved.board)
    current.current = isBack ? undefined : { startedFrom, board: next }
    setDraft(current.current)
    boardDrafts.keep(projectId, saved.id, current.current)
  }
  /** @param of names what is typed, so that its letters are one step */
  const change = (next: Board, of?: string): void => {
    const before = current.current?.board ?? saved.board
    if (next === before || isSameBoard(next, before)) return
    const last = past.current.at(-1)
    const now = Date.now()
    const isSameStep = of !== undefined && last?.of === of && now - last.at < togetherMs
    past.current = isSameStep
      ? [...past.current.slice(0, -1), { ...last, at: now }]
      : [...past.current.slice(-undoMax), { board: before, of, at: now }]
    future.current = []
    put(next)
  }
  const undo = (): void => {
    const step = past.current.pop()
    if (step === undefined) return
    future.current.push(current.current?.board ?? saved.board)
    put(step.board)
  }
  const redo = (): void => {
    const next = future.current.pop()
    if (next === undefined) return
    past.current.push({ board: current.current?.board ?? saved.board, of: undefined, at: 0 })
    put(next)
  }
  const forget = (): void => {
    past.current = []
    future.current = []
    current.current = undefined
    setDraft(undefined)
    boardDrafts.keep(projectId, saved.id, undefined)
  }
  /** Stores the changes as a version. @returns whether they are stored */
  const save = async (overLatest = false): Promise<boolean> => {
    const kept = current.current
    if (kept === undefined || busy) return false
    setBusy(true)
    try {
      await saveBoard(projectId, saved.id, kept.board, overLatest ? saved.digest : kept.startedFrom)
      await reloadBoards(projectId)
      forget()
      return true
    } catch (error) {
      // The page says what came first once the versions are read again.
      if (error instanceof Problem && error.type === 'VersionConflict') await reloadBoards(projectId)
      else showError(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  const discard = (): (() => void) => {
    const kept = current.current
    forget()
    return () => {
      current.current = kept
      setDraft(kept)
      boardDrafts.keep(projectId, saved.id, kept)
    }
  }
  // Another window may have changed what this browser keeps.
  useEffect(() => {
    const follow = ({ storageArea, key }: StorageEvent): void => {
      if (storageArea !== localStorage || !key?.endsWith(` ${projectId} ${saved.id}`)) return
      current.current = boardDrafts.find(projectId, saved.id)
      setDraft(current.current)
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [projectId, saved.id])
  return {
    board,
    isChanged: draft !== undefined,
    isConflict: draft !== undefined && draft.startedFrom !== saved.digest,
    canUndo: past.current.length > 0,
    canRedo: future.current.length > 0,
    busy,
    change,
    undo,
    redo,
    save,
    discard,
    forget,
  }
}

export type EditedBoard = ReturnType<typeof useBoard>
