import { Link } from '@tanstack/react-router'
import { Page } from '../ui/page/page.tsx'
import { PageHead } from '../ui/page/page-head.tsx'

/** What stands at an address that leads nowhere. */
export function NoSuchPage() {
  return (
    <Page>
      <PageHead title="There is no such page" />
      <p className="soft">
        The link may be old, or what it showed is gone. Go to the <Link to="/">overview</Link>.
      </p>
    </Page>
  )
}
