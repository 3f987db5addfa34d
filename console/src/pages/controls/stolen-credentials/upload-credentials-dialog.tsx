import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { bound, Form } from '../../../ui/form/form.tsx'
import { counted } from '../../../ui/text/counted.ts'
import { type CredentialFile, readCredentialFile } from './credential-file.ts'
import { type UploadProgress, uploadCredentials } from './upload-credentials.ts'

/** Larger files would block the page for too long. */
const fileBytesMaximum = 64 * 1024 * 1024
const wrongShown = 50

/** Parses a file of stolen credentials in the page, lists invalid entries, and uploads the rest in chunks. */
export function UploadCredentialsDialog({
  onClose,
  onUploaded,
}: {
  onClose: () => void
  onUploaded: () => Promise<void>
}) {
  const [source, setSource] = useState('')
  const [file, setFile] = useState<CredentialFile>()
  const [tooLarge, setTooLarge] = useState(false)
  const [progress, setProgress] = useState<UploadProgress>()
  const stopping = useRef<AbortController>(undefined)
  // Closing the dialog stops the upload. Credentials that were already sent are kept.
  useEffect(() => () => stopping.current?.abort(), [])
  const upload = useMutation({
    mutationFn: () => {
      const stop = new AbortController()
      stopping.current = stop
      return uploadCredentials(file?.credentials ?? [], source.trim(), stop.signal, setProgress)
    },
    onSettled: onUploaded,
  })
  const read = async (chosen: File | undefined) => {
    upload.reset()
    setProgress(undefined)
    setTooLarge(chosen !== undefined && chosen.size > fileBytesMaximum)
    setFile(
      chosen === undefined || chosen.size > fileBytesMaximum
        ? undefined
        : readCredentialFile(await chosen.text()),
    )
  }
  const count = file?.credentials.length ?? 0
  const number = (value: number) => value.toLocaleString('en-GB')
  return (
    <Dialog title="Upload stolen credentials" onClose={onClose}>
      <Form
        sending={upload}
        {...(upload.isSuccess ? {} : { action: count > 0 ? `Upload ${number(count)}` : 'Upload' })}
        disabled={count === 0}
        onCancel={onClose}
        cancel={upload.isSuccess ? 'Close' : upload.isPending ? 'Stop' : 'Cancel'}
      >
        <TextField
          label="File"
          type="file"
          accept=".csv,.txt,.json,.jsonl,text/csv,text/plain,application/json"
          hint="CSV with the columns email and password (or sha1), JSON, or JSON Lines. The file is read in this browser; only the SHA-1 of each password is sent."
          error={tooLarge ? 'The file is larger than 64 MiB. Split it into smaller files.' : undefined}
          disabled={upload.isPending}
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <TextField
          label="Feed"
          hint="Source of the credentials (optional)."
          maxLength={64}
          {...bound(source, setSource)}
        />
        {file && <FileSummary file={file} />}
        {progress && (
          <div className="stack tight" role="status">
            <progress max={count} value={progress.sent} aria-label="Sent" />
            <p className={upload.isSuccess ? 'notice good' : 'soft'}>
              {number(progress.sent)} of {number(count)} sent: {number(progress.added)} added,{' '}
              {counted(progress.duplicates, 'duplicate')}.
            </p>
          </div>
        )}
      </Form>
    </Dialog>
  )
}

function FileSummary({ file: { credentials, wrong } }: { file: CredentialFile }) {
  const number = (value: number) => value.toLocaleString('en-GB')
  return (
    <div className="stack tight" role="status">
      <p className={wrong.length === 0 ? 'notice' : 'notice warn'}>
        {counted(credentials.length, 'credential')} found
        {wrong.length > 0 && `, ${counted(wrong.length, 'invalid entry', 'invalid entries')} will be skipped`}
        .
      </p>
      {wrong.length > 0 && (
        <ul className="lines wrong-lines">
          {wrong.slice(0, wrongShown).map(({ place, message }) => (
            <li key={place}>
              <span className="grow">{place}</span>
              <span className="field-error">{message}</span>
            </li>
          ))}
          {wrong.length > wrongShown && <li className="soft">{number(wrong.length - wrongShown)} more</li>}
        </ul>
      )}
    </div>
  )
}
