import {
  type PermissionRisk,
  permissionRisk,
  permissionRisks,
} from '@muster/contract/console/permission-risk'

/** Describes permissions in plain words, without duplicates, most dangerous first. */
export function plainPermissions(
  permissions: readonly string[],
): readonly (PermissionRisk & { readonly permission: string })[] {
  const granted = [...new Set(permissions)].map((permission) => ({
    permission,
    ...permissionRisk(permission),
  }))
  return [...new Map(granted.map((one) => [one.text, one])).values()].sort(
    (one, other) => permissionRisks.indexOf(one.risk) - permissionRisks.indexOf(other.risk),
  )
}
