/** Whose behaviour: a store's user, or a device no user has claimed. Written `u:<id>` or `d:<id>` in keys. */
export type ShopperKey = `u:${string}` | `d:${string}`;

export const userKey = (userId: string): ShopperKey => `u:${userId}`;
export const deviceKey = (deviceId: string): ShopperKey => `d:${deviceId}`;
