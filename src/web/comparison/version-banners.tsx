import type { Comparison } from '../../domains/evaluations/index.ts'
import { Banner } from '../components/states/banner.tsx'
import { comparisonText } from '../text/evaluation/comparison.ts'
import { type LetteredRun, refName } from './comparison-data.ts'
import { runLetter } from './run-mark.tsx'

/** A warning for each dataset or scorer of which the runs have different versions. */
export const VersionBanners = ({
  comparison: { differing_versions: differing, shared_row_count: shared, row_count: all },
  runs,
}: {
  comparison: Comparison
  runs: readonly LetteredRun[]
}) => (
  <>
    {differing.map(({ kind, name, versions }) => {
      const parts = versions
        .map(({ ref, version_index, evaluation_call_ids: ids }) => {
          const letters = runs.filter(({ id }) => ids.includes(id)).map(({ place }) => runLetter(place))
          const [of = '', digest = ''] = refName(ref).split(':')
          return comparisonText.differing.version(
            letters.join(', '),
            kind === 'dataset' ? of : '',
            version_index,
            digest,
          )
        })
        .join('; ')
      return (
        <Banner key={`${kind} ${name}`}>
          {kind === 'dataset'
            ? comparisonText.differing.dataset(parts, shared, all)
            : comparisonText.differing.scorer(name, parts)}
        </Banner>
      )
    })}
  </>
)
