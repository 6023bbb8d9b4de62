import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import * as model from '../../model/families.ts'
import { datasets, evaluations, models, ops, scorers } from '../../typed-objects/kinds.ts'
import type { ObjectsServices } from '../services.ts'
import { type FamilyRoutes, familyApi } from './family-api.ts'

const families: readonly FamilyRoutes[] = [
  {
    path: 'ops',
    tag: 'Ops',
    family: ops,
    create: model.OpCreate,
    receipt: model.OpReceipt,
    version: model.Op,
    description: 'The source code is stored as a file of the project.',
    readQuery: { eager: Type.Optional(Type.String({ description: 'Ignored; the code is always included' })) },
  },
  {
    path: 'datasets',
    tag: 'Datasets',
    family: datasets,
    create: model.DatasetCreate,
    receipt: model.DatasetReceipt,
    version: model.Dataset,
    description: 'The rows are stored as a table of the project.',
  },
  {
    path: 'scorers',
    tag: 'Scorers',
    family: scorers,
    create: model.ScorerCreate,
    receipt: model.ScorerReceipt,
    version: model.Scorer,
    description: 'The source code is stored as the op `<name>.score`, which is the op name of calls to the scorer.',
  },
  {
    path: 'models',
    tag: 'Models',
    family: models,
    create: model.ModelCreate,
    receipt: model.ModelReceipt,
    version: model.Model,
    description: 'Attributes become members of the object; they cannot override its built-in members.',
  },
  {
    path: 'evaluations',
    tag: 'Evaluations',
    family: evaluations,
    create: model.EvaluationCreate,
    receipt: model.EvaluationReceipt,
    version: model.Evaluation,
    description: 'Refs are not resolved. Attributes become members of the object.',
  },
]

/** Typed objects by family. */
export const familiesApi = (services: ObjectsServices) =>
  families.reduce(
    (app, routes) => app.use(familyApi(services, routes)) as unknown as typeof app,
    new Elysia({ normalize: false }),
  )
