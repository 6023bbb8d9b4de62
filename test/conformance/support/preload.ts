import { shareServerAmongFiles } from './target.ts'

shareServerAmongFiles()
