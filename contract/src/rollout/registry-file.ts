/** Key of the Windows registry with text values. */
export interface RegistryKey {
  readonly key: string
  readonly values: Readonly<Record<string, string>>
}

/**
 * Returns a file that the Registry Editor of Windows imports. Other values of the keys stay.
 *
 * @throws RangeError for a line break in a key, name or value: the format has no escape for it
 */
export const registryFile = (keys: readonly RegistryKey[]): string =>
  ['Windows Registry Editor Version 5.00', ...keys.map(sectionOf), '']
    .join('\n\n')
    .trimEnd()
    .concat('\n')
    .replaceAll('\n', '\r\n')

const sectionOf = ({ key, values }: RegistryKey): string =>
  [
    `[${oneLine(key)}]`,
    ...Object.entries(values).map(([name, value]) => `${quoted(name)}=${quoted(value)}`),
  ].join('\n')

const quoted = (text: string): string => `"${oneLine(text).replace(/[\\"]/g, '\\$&')}"`

function oneLine(text: string): string {
  if (/[\r\n]/.test(text)) throw new RangeError('a registry file cannot hold a line break')
  return text
}
