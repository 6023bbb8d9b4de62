import { callsTable } from '../../../src/engine/tables/calls-table.ts'
import { storageLimits } from '../../../src/lib/limits/storage.ts'
import type { Cell, Row } from '../../../src/lib/table.ts'
import { StoreBench } from '../../store/store-bench.ts'

export const keptProject = 'acme/kept'
export const goneProject = 'acme/gone'
const callsPerFile = 1_200

/** Small files, too, get the sidecars that are for large ones. */
export const withSmallSidecars = (): void =>
  void Object.assign(storageLimits, { valueIndexRowsMin: 500, valueIndexBlockRows: 64 })

export const openCalls = (folder: string): Promise<StoreBench> => StoreBench.openAt(folder, { tables: [callsTable] })

/** The id of a call; every other one belongs to the project that is erased later. */
const callId = (file: number, number: number): string => `call-${file}-${number}`

/** What one data file is made of. */
export const callsOfFile = (file: number): Row[] =>
  Array.from({ length: callsPerFile }, (_, number) => {
    const startedAt = 1_774_000_000_000_000 + (number % 4) * 3_600_000_000
    const cells: Record<string, Cell> = {
      project_id: number % 2 === 0 ? keptProject : goneProject,
      id: callId(file, number),
      trace_id: `trace-${Math.floor(number / 8)}`,
      op_name: number % 2 === 0 ? 'answer' : 'secret-op',
      started_at: startedAt,
      ended_at: startedAt + number * 1000,
      attributes: '{}',
      inputs: '{}',
      ext_user_id: 'u',
      written_at: startedAt,
    }
    return callsTable.columns.map(({ name }) => cells[name] ?? null)
  })

/** Erases the project, as often as it takes. */
export async function eraseProject({ store }: StoreBench): Promise<void> {
  await store.erasure.hide(goneProject)
  await store.erasure.eraseProject('calls', goneProject)
  store.erasure.reveal(goneProject)
}
