/**
 * Datasets as files and as versions: inspecting and importing a file, exporting a version,
 * comparing two. Other code imports this subject through this file.
 */

export { Datasets } from './datasets.ts'
export type {
  ColumnType,
  Correction,
  Fault,
  ImportOptions,
  ImportReceipt,
  InspectedColumn,
  Inspection,
  ReadOptions,
  RowsOfCall,
} from './model/datasets.ts'
export { datasetFormPaths, datasetsApi } from './operations/index.ts'
