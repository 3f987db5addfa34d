import { Page } from './page.tsx'
import { PageHead } from './page-head.tsx'

/** The page of something that there is not. */
export const NotThere = ({ title }: { title: string }) => (
  <Page>
    <PageHead title={title} />
    <p className="soft">It may have been removed.</p>
  </Page>
)
