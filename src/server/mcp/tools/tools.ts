import type { Caller } from '../../../domains/access/index.ts'
import type { Tool } from '../tool.ts'
import { addFeedback } from './add-feedback.ts'
import { addToDataset } from './add-to-dataset.ts'
import { compareEvaluations } from './compare-evaluations.ts'
import { getCall } from './get-call.ts'
import { getTrace } from './get-trace.ts'
import { overview } from './overview.ts'
import { describeSchema, runSql } from './run-sql.ts'
import { searchCalls } from './search-calls.ts'
import { searchDocs } from './search-docs.ts'
import { stats } from './stats.ts'

const tools: readonly Tool[] = [
  overview,
  searchCalls,
  getTrace,
  getCall,
  stats,
  compareEvaluations,
  runSql,
  describeSchema,
  addFeedback,
  addToDataset,
  searchDocs,
]

/** The tools that a key may use, in the order in which agents see them. */
export const toolsFor = ({ role }: Caller): readonly Tool[] => tools.filter(({ writes }) => !writes || role !== 'read')
