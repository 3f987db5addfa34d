import '../../../styles/controls-pages.css'
import type { Banner, Controls } from '@muster/contract/records/controls'
import { Plus } from 'lucide-react'
import { appTypeName } from '../../../data/app-names.ts'
import { useHasRole } from '../../../data/session.ts'
import { ValueBadge } from '../../../ui/badge.tsx'
import { PushButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { OrderButtons } from '../protections/rule-list.tsx'
import { moved, scopeText } from '../protections/scope.ts'
import { SaveBar } from '../save-bar.tsx'
import { useChoices, useControls, useDraft, useEdited } from '../use-controls.ts'
import { BannerDialog } from './banner-dialog.tsx'

/** Page of app banners. */
export function BannersPage() {
  const { data } = useControls()
  return <Page>{data ? <BannersForm controls={data.controls} /> : <PageHead title="App banners" />}</Page>
}

function BannersForm({ controls }: { controls: Controls }) {
  const mayWrite = useHasRole('FULL_ACCESS')
  const { data } = useChoices()
  const draft = useDraft<readonly Banner[]>(controls.banners, (value) => ({ banners: [...value] }))
  const { edited, edit, close } = useEdited(draft)
  const banners = draft.value
  const appName = (type: string) =>
    data?.products.find(({ appType }) => appType === type)?.friendlyName ?? appTypeName(type)
  const add = mayWrite && (
    <PushButton kind="primary" onClick={() => edit(banners.length)}>
      <Plus />
      Add banner
    </PushButton>
  )
  return (
    <>
      <PageHead title="App banners">{banners.length > 0 && add}</PageHead>
      <p className="soft">
        Employees see a banner when they open an app. The first banner that matches the employee and the app
        is shown.
      </p>
      {banners.length === 0 ? (
        <EmptyState title="No banners">
          <p className="soft">
            Point employees to an approved alternative, or ask for a reason before they use an app.
          </p>
          {add}
        </EmptyState>
      ) : (
        <section className="card">
          <ol className="lines">
            {banners.map((banner, index) => (
              <li key={banner.id}>
                <span className="soft">{index + 1}.</span>
                <span className="rule-text">
                  {banner.title}
                  <br />
                  <span className="soft small">{scopeText(banner, appName)}</span>
                </span>
                <ValueBadge value={banner.mode} />
                {mayWrite && (
                  <OrderButtons
                    what={`banner ${banner.title}`}
                    index={index}
                    count={banners.length}
                    onMove={(to) => draft.set(moved(banners, index, to))}
                    onEdit={() => edit(index)}
                    onRemove={() => draft.set(banners.filter((_, at) => at !== index))}
                  />
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      <SaveBar of={draft} />
      {edited !== undefined && (
        <BannerDialog
          banner={banners[edited]}
          ids={banners.map(({ id }) => id)}
          onClose={close}
          onDone={(banner) => {
            draft.set(edited === banners.length ? [...banners, banner] : banners.with(edited, banner))
            close()
          }}
        />
      )}
    </>
  )
}
