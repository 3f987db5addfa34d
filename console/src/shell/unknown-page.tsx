import { Link } from '@tanstack/react-router'
import { Page } from '../ui/page/page.tsx'
import { PageHead } from '../ui/page/page-head.tsx'

/** Page for an unknown URL. */
export function UnknownPage() {
  return (
    <Page>
      <PageHead title="Page not found" />
      <p className="soft">
        The link may be outdated, or the page was removed. Go to the <Link to="/">overview</Link>.
      </p>
    </Page>
  )
}
