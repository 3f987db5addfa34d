import '../../styles/guide.css'
import { guidePages } from 'virtual:muster-guide'
import { Link, useLocation, useParams, useRouter } from '@tanstack/react-router'
import { type MouseEvent, useEffect, useRef } from 'react'
import { UnknownPage } from '../../shell/unknown-page.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

/** Page of the guide, with the list of all pages. */
export function GuidePage() {
  const { id } = useParams({ strict: false })
  const { hash } = useLocation()
  const router = useRouter()
  const article = useRef<HTMLElement>(null)
  const shown = id === undefined ? guidePages[0] : guidePages.find(({ name }) => name === id)

  // biome-ignore lint/correctness/useExhaustiveDependencies: also after another page is shown
  useEffect(() => {
    if (hash === '') return
    // After the shell has scrolled the new page to its top.
    const frame = requestAnimationFrame(() =>
      article.current?.querySelector(`#${CSS.escape(hash)}`)?.scrollIntoView(),
    )
    return () => cancelAnimationFrame(frame)
  }, [hash, shown])

  if (!shown) return <UnknownPage />
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link?.target !== '' || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    router.history.push(`${link.pathname}${link.hash}`)
  }
  return (
    <Page wide>
      <PageHead title={shown.title} aside={<span className="soft small">Guide</span>} />
      <div className="guide-columns">
        <nav aria-label="Guide" className="guide-pages">
          <ul>
            {guidePages.map(({ name, title, sections }) => (
              <li key={name}>
                <Link
                  to="/guide/$id"
                  params={{ id: name }}
                  className="nav-link"
                  aria-current={shown.name === name ? 'page' : undefined}
                >
                  {title}
                </Link>
                {shown.name === name && <Sections name={name} sections={sections} />}
              </li>
            ))}
          </ul>
        </nav>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: follows the links inside, which Enter clicks, too */}
        <article
          ref={article}
          className="card guide"
          onClick={follow}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered at build time from docs/guide
          dangerouslySetInnerHTML={{ __html: shown.html }}
        />
      </div>
    </Page>
  )
}

const Sections = ({ name, sections }: Pick<(typeof guidePages)[number], 'name' | 'sections'>) => (
  <ul>
    {sections.map(({ id, title }) => (
      <li key={id}>
        <Link to="/guide/$id" params={{ id: name }} hash={id} className="guide-section small">
          {title}
        </Link>
      </li>
    ))}
  </ul>
)
