import '../../styles/settings.css'
import type { SettingPage } from '@muster/contract/console/console-settings'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { reloadSession, useHasRole } from '../../data/session.ts'
import { UnknownPage } from '../../shell/unknown-page.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Crumb } from '../../ui/page/crumb.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { SettingField } from './setting-field.tsx'
import { type SettingPageTexts, settingPageTexts } from './setting-page-texts.ts'
import { SettingTest } from './setting-test.tsx'

/** Page with settings that owners change. */
export function SettingFormPage() {
  const { id } = useParams({ strict: false })
  const isOwner = useHasRole('OWNER')
  const texts = settingPageTexts.find((page) => page.id === id)
  if (!texts) return <UnknownPage />
  return (
    <Page>
      <Crumb path="/settings" title="Settings" />
      <PageHead title={texts.title} />
      {isOwner ? (
        <LoadedPage key={texts.id} texts={texts} />
      ) : (
        <EmptyState title="Only owners can view settings">
          <p className="soft">Ask an owner.</p>
        </EmptyState>
      )}
    </Page>
  )
}

const queryKey = ['setting-pages']

function LoadedPage({ texts }: { texts: SettingPageTexts }) {
  const { data } = useQuery({ queryKey, queryFn: () => callConsole('readSettingPages') })
  const page = data?.pages.find((one) => one.page === texts.page)
  if (!data || !page) return null
  return (
    <>
      <Card title={texts.title} note={texts.about}>
        <OriginNotice page={page} />
        {page.settings.some(({ changeable }) => changeable) ? (
          <SettingForm page={page} />
        ) : (
          page.settings.map((setting) => (
            <SettingField key={setting.name} setting={setting} draft={undefined} onDraft={() => undefined} />
          ))
        )}
        {texts.page === 'SIGN_ON' && (
          <Facts facts={[['Redirect URI', <code key="uri">{data.redirectUri}</code>]]} />
        )}
      </Card>
      {texts.test && <SettingTest {...texts.test} />}
    </>
  )
}

/** Says why settings cannot be changed. */
function OriginNotice({ page: { otherOrganization, settings } }: { page: SettingPage }) {
  if (otherOrganization)
    return (
      <p className="notice">
        This exists once per server. Only owners of its first organization can set it in the console.
      </p>
    )
  const names = [...new Set(settings.flatMap(({ setBy }) => setBy ?? []))]
  if (names.length === 0 || settings.some(({ changeable }) => changeable)) return null
  return (
    <p className="notice">
      Set by{' '}
      {names.map((name) => (
        <code key={name}>{name}</code>
      ))}{' '}
      where the server runs, which takes precedence. To change it here, ask the operator to remove that
      setting.
    </p>
  )
}

function SettingForm({ page: { settings } }: { page: SettingPage }) {
  const client = useQueryClient()
  const [drafts, setDrafts] = useState<Readonly<Record<string, string | null>>>({})
  const save = useMutation({
    mutationFn: () =>
      callConsole('changeSettings', {
        body: { changes: Object.entries(drafts).map(([name, value]) => ({ name, value })) },
      }),
    onSuccess: async (pages) => {
      client.setQueryData(queryKey, pages)
      setDrafts({})
      showToast('Settings saved. They are in effect.')
      await client.invalidateQueries({ queryKey: ['settings'] })
      await client.invalidateQueries({ queryKey: ['streams'] })
      await reloadSession()
    },
  })
  const draft = (name: string, saved: string | null, text: string | null | undefined) => {
    const { [name]: _, ...others } = drafts
    setDrafts(text === undefined || text === saved ? others : { ...others, [name]: text })
  }
  return (
    <Form sending={save} action="Save" disabled={Object.keys(drafts).length === 0}>
      {settings.map((setting) => (
        <SettingField
          key={setting.name}
          setting={setting}
          draft={drafts[setting.name]}
          onDraft={(text) => draft(setting.name, setting.isSet ? setting.value : null, text)}
        />
      ))}
    </Form>
  )
}
