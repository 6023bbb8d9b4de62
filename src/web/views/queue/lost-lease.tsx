import { Button } from '../../components/controls/button.tsx'
import { Banner } from '../../components/states/banner.tsx'
import { reviewText } from '../../text/review.ts'
import css from './work-page.module.css'

interface LostLeaseProps {
  readonly busy: boolean
  readonly claimAgain: () => Promise<void>
  readonly leave: () => Promise<void>
}

/** Says that an item is no longer kept for the reviewer, and what they can do. */
export const LostLease = ({ busy, claimAgain, leave }: LostLeaseProps) => (
  <Banner
    action={
      <span class={css.lost}>
        <Button kind="quiet" busy={busy} onClick={() => void claimAgain()}>
          {reviewText.claimAgain}
        </Button>
        <Button kind="quiet" disabled={busy} onClick={() => void leave()}>
          {reviewText.leaveItem}
        </Button>
      </span>
    }
  >
    {reviewText.leaseEnded}
  </Banner>
)
