import { LoadingRows } from '../components/states/loading-rows.tsx'
import css from './time-chart.module.css'

const rows = 4
/** What a chart has above and below its plot, and the line that says what is read. */
const aroundPlot = 24
const sayingHeight = 28

/** The place of a chart that is being read, as high as the chart. */
export const ChartSkeleton = ({ title, height }: { title: string; height: number }) => (
  <section class={css.card} aria-label={title}>
    <header class={css.head}>
      <h2 class={css.title}>{title}</h2>
    </header>
    <div style={{ height: `${height + aroundPlot}px` }}>
      <LoadingRows columns="1fr" rows={rows} height={Math.floor((height + aroundPlot - sayingHeight) / rows)} />
    </div>
  </section>
)
