import { ChartArea, ChartColumn, ChartLine, Hash, type IconNode, Table2 } from 'lucide'
import { Icon } from '../../components/display/icon.tsx'
import type { Shape } from '../cards/board.ts'

const icons: Readonly<Record<Shape, IconNode>> = {
  line: ChartLine,
  bars: ChartColumn,
  area: ChartArea,
  number: Hash,
  table: Table2,
}

/** A shape of cards as a picture. */
export const ShapeIcon = ({ of }: { of: Shape }) => <Icon of={icons[of]} />
