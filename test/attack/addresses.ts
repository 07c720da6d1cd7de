/** All of this machine: the loopback network has 16 million of them. */
export const ATTACKER_ADDRESS = '127.0.0.66';
export const SHOPPER_ADDRESS = '127.0.0.2';
/** The stores' backends. */
export const BACKEND_ADDRESS = '127.0.0.9';
