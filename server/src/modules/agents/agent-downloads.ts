import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Agent package for download. */
interface AgentPackage {
  readonly file: string
  readonly version: string
  readonly bytes: number
  /** SHA-256 in hexadecimal. */
  readonly sha256: string
}

/** Agent build for one kind of browser. */
export interface BuiltAgent {
  readonly browser: 'chromium' | 'firefox'
  readonly package: AgentPackage
  /** ID of the extension in the browser; null if the manifest has none. */
  readonly extensionId: string | null
}

/** Agents that were built into a folder; none if the folder does not exist. */
export interface AgentDownloads {
  list(): Promise<readonly BuiltAgent[]>
  /** Returns a package that {@link list} contains; undefined for any other name. */
  read(file: string): Promise<Buffer | undefined>
}

const names = /^muster-agent-(\d[\w.+-]*)-(chromium|firefox)\.zip$/

/** Reads the folder on every request, so new builds appear without a restart. */
export function agentDownloads(folder: string): AgentDownloads {
  const sums = new Map<string, { key: string; sha256: string }>()

  const packageOf = async (file: string, version: string): Promise<AgentPackage> => {
    const { size, mtimeMs } = await stat(join(folder, file))
    const key = `${size} ${mtimeMs}`
    const known = sums.get(file)
    if (known?.key === key) return { file, version, bytes: size, sha256: known.sha256 }
    const sha256 = createHash('sha256')
      .update(await readFile(join(folder, file)))
      .digest('hex')
    sums.set(file, { key, sha256 })
    return { file, version, bytes: size, sha256 }
  }

  const list = async (): Promise<BuiltAgent[]> => {
    const files = await readdir(folder).catch((): string[] => [])
    const built: BuiltAgent[] = []
    for (const browser of ['chromium', 'firefox'] as const) {
      const manifest = await readManifest(join(folder, browser, 'manifest.json'))
      // The folder may contain packages of earlier builds.
      const file = `muster-agent-${manifest?.version}-${browser}.zip`
      if (!manifest || !names.test(file) || !files.includes(file)) continue
      built.push({
        browser,
        package: await packageOf(file, manifest.version),
        extensionId: browser === 'chromium' ? chromiumId(manifest.key) : (manifest.geckoId ?? null),
      })
    }
    return built
  }

  return {
    list,
    async read(file) {
      const known = (await list()).some((built) => built.package.file === file)
      return known ? readFile(join(folder, file)) : undefined
    },
  }
}

interface Manifest {
  readonly version: string
  readonly key: string | undefined
  readonly geckoId: string | undefined
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    const manifest = JSON.parse(await readFile(path, 'utf8')) as {
      version: string
      key?: string
      browser_specific_settings?: { gecko?: { id?: string } }
    }
    const { version, key, browser_specific_settings: specific } = manifest
    return { version: String(version), key, geckoId: specific?.gecko?.id }
  } catch {
    return undefined
  }
}

/**
 * Returns the ID that Chromium derives from the public key of an extension: the first 16 bytes of its
 * SHA-256, with `a` to `p` as digits.
 */
export function chromiumId(key: string | undefined): string | null {
  if (key === undefined) return null
  const digits = createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 32)
  return digits.replaceAll(/[0-9a-f]/g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))
}
