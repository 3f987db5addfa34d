import '../../styles/settings.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { reloadSession, useHasRole } from '../../data/session.ts'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { DeprecationCard } from './deprecation-card.tsx'
import { MailCard } from './mail-card.tsx'
import { SettingPagesCard } from './setting-pages-card.tsx'
import { SettingTable } from './setting-table.tsx'
import { StreamsCard } from './streams-card.tsx'

/** Settings page, for owners. */
export function SettingsPage() {
  const isOwner = useHasRole('OWNER')
  return (
    <Page>
      <PageHead title="Settings" />
      {isOwner ? (
        <OwnersSettings />
      ) : (
        <EmptyState title="Only owners can view settings">
          <p className="soft">
            Ask an owner. Owners are listed under <Link to="/administrators">Administrators</Link>.
          </p>
        </EmptyState>
      )}
    </Page>
  )
}

function OwnersSettings() {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: () => callConsole('readSettings'),
  })
  if (!data) return null
  return (
    <>
      <OrganizationCard key={data.organization.name} {...data.organization} version={data.version} />
      <Card title="Administrators">
        <p>
          <Link to="/administrators">Manage administrators</Link>, their roles and invitations.
        </p>
      </Card>
      <SettingPagesCard />
      <MailCard way={data.mailWay} from={data.mailFrom} />
      <DeprecationCard />
      <Card title="Events">
        <p>
          <Link to="/webhooks">Webhooks</Link> send events to other systems, the{' '}
          <Link to="/audit">audit trail</Link> records who did what, and <Link to="/notices">notices</Link>{' '}
          are the emails sent to people.
        </p>
      </Card>
      <StreamsCard />
      <SettingTable settings={data.settings} />
    </>
  )
}

function OrganizationCard({ id, name, version }: { id: string; name: string; version: string }) {
  const client = useQueryClient()
  const [typed, setTyped] = useState(name)
  const rename = useMutation({
    mutationFn: () => callConsole('changeOrganization', { body: { name: typed } }),
    onSuccess: async () => {
      showToast('Organization renamed.')
      await client.invalidateQueries({ queryKey: ['settings'] })
      await reloadSession()
    },
  })
  return (
    <Card title="Organization">
      <Form sending={rename} action="Save" disabled={typed.trim() === name || typed.trim() === ''}>
        <TextField
          label="Name"
          name="name"
          hint="Shown to employees in banners, on block pages and during enrollment."
          required
          maxLength={128}
          {...bound(typed, setTyped)}
        />
      </Form>
      <Facts
        facts={[
          ['ID', <code key="id">{id}</code>],
          ['Muster version', version],
        ]}
      />
    </Card>
  )
}
