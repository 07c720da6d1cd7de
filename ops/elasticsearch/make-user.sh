#!/bin/sh
# Makes the role of role.json, for the indices of INDEX_PREFIX, and the user `vitrine` with it and VITRINE_PASSWORD. Harmless to run again.
# Needs curl, ELASTICSEARCH (such as http://elasticsearch:9200), ELASTIC_PASSWORD (of the user elastic), and role.json beside it.
set -eu

put() {
  curl -fsS -u "elastic:$ELASTIC_PASSWORD" -X PUT "$ELASTICSEARCH/_security/$1" -H 'content-type: application/json' --data-binary @- >/dev/null
}

sed "s/vitrine-\*/${INDEX_PREFIX:-vitrine}-*/" "$(dirname "$0")/role.json" | put role/vitrine
printf '{"password":"%s","roles":["vitrine"],"full_name":"vitrine, the service"}' "$VITRINE_PASSWORD" | put user/vitrine
