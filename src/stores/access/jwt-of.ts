import { createSecretKey } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';

/** Signs and verifies with this secret. As a key object: of a text it is tried at every token whether it is a public key, which takes half a millisecond. */
export const jwtOf = (secret: string): JwtService => new JwtService({ secret: createSecretKey(Buffer.from(secret)) });
