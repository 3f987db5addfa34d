import { Page } from './page.tsx'
import { PageHead } from './page-head.tsx'

/** Page for a record that does not exist. */
export const NotFoundPage = ({ title }: { title: string }) => (
  <Page>
    <PageHead title={title} />
    <p className="soft">It may have been removed.</p>
  </Page>
)
