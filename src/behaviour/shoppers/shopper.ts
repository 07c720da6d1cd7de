/** Whose behaviour: a store's user, or a device no user has claimed. Written `u:<id>` or `d:<id>` in keys. */
export type ShopperKey = `u:${string}` | `d:${string}`;

export const userKey = (userId: string): ShopperKey => `u:${userId}`;
export const deviceKey = (deviceId: string): ShopperKey => `d:${deviceId}`;

export interface Whose {
  userId?: string | null | undefined;
  deviceId?: string | null | undefined;
}

/** Whose behaviour something is: the user's where one is known, else the device's; null: nobody's. */
export function shopperOf({ userId, deviceId }: Whose): ShopperKey | null {
  if (typeof userId === 'string') return userKey(userId);
  return typeof deviceId === 'string' ? deviceKey(deviceId) : null;
}
