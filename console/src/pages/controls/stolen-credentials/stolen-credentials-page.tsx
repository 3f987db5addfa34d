import '../../../styles/controls-pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { callConsole, callRecord } from '../../../data/call.ts'
import { useHasRole } from '../../../data/session.ts'
import { PushButton } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/dialog/toasts.tsx'
import { Card, Facts } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { counted } from '../../../ui/text/counted.ts'
import { TypedConfirm } from '../typed-confirm.tsx'
import { UploadCredentialsDialog } from './upload-credentials-dialog.tsx'

const storedKey = ['stolen-credentials']

/** Page of stolen credentials: counts and upload. The credentials themselves cannot be viewed. */
export function StolenCredentialsPage() {
  const client = useQueryClient()
  const mayWrite = useHasRole('FULL_ACCESS')
  const [open, setOpen] = useState<'upload' | 'delete'>()
  const { data } = useQuery({
    queryKey: storedKey,
    queryFn: () => callConsole('readStolenCredentials'),
  })
  const reload = () => client.invalidateQueries({ queryKey: storedKey })
  const number = (value: number) => value.toLocaleString('en-GB')
  return (
    <Page>
      <PageHead title="Stolen credentials">
        {mayWrite && data && data.count > 0 && (
          <PushButton kind="danger" onClick={() => setOpen('delete')}>
            Delete all
          </PushButton>
        )}
        {mayWrite && (
          <PushButton kind="primary" onClick={() => setOpen('upload')}>
            <Upload />
            Upload file
          </PushButton>
        )}
      </PageHead>
      <p className="soft">
        Credentials from threat intelligence feeds. When an employee signs in with one of them, Muster raises
        a detection and opens a finding.
      </p>
      {data && (
        <Card title={data.count === 0 ? 'No stolen credentials' : 'Stored credentials'}>
          <Facts
            facts={[
              ['Credentials', number(data.count)],
              ['Addresses', number(data.addresses)],
            ]}
          />
          <p className="soft">
            Passwords are not stored, only a salted slow hash of each, which browsers use to recognize it.
            They cannot be viewed or exported.
          </p>
          <p className="row wrap">
            <Link to="/detections" search={{ detectionType: 'STOLEN_CREDENTIALS' }}>
              Detections of stolen credentials
            </Link>
            <Link to="/findings" search={{ type: 'STOLEN_CREDENTIALS', state: 'OPEN' }}>
              Open findings
            </Link>
          </p>
        </Card>
      )}
      {open === 'upload' && (
        <UploadCredentialsDialog onClose={() => setOpen(undefined)} onUploaded={reload} />
      )}
      {open === 'delete' && data && (
        <TypedConfirm
          title="Delete all stolen credentials?"
          word="delete all"
          action="Delete all"
          run={async () => {
            const gone = await callRecord('deleteStolenCredentials')
            showToast(`${number(gone.count)} deleted.`)
          }}
          onDone={reload}
          onClose={() => setOpen(undefined)}
        >
          <p>This deletes {counted(data.count, 'credential')}. Browsers will no longer detect their use.</p>
        </TypedConfirm>
      )}
    </Page>
  )
}
