import { messageOf } from '../../data/console-send.ts'
import { EmptyState } from './empty-state.tsx'

/** Content of a page whose data could not be loaded. */
export const LoadFailure = ({ error }: { error: Error }) => (
  <EmptyState title="Could not load this page">
    <p className="soft">{messageOf(error)}</p>
  </EmptyState>
)
