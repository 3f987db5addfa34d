import { Link } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'

/** What stands at an address that leads nowhere. */
export function NoSuchPage() {
  return (
    <EmptyState title="There is no such page">
      <p className="soft">The link may be old, or what it showed is gone.</p>
      <Link to="/" className="button">
        Go to the overview
      </Link>
    </EmptyState>
  )
}
