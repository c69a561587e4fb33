# remit completion for bash. Made by `remit completion bash`: words are here, ids and profiles are asked of remit.

_remit_next() { # the words that may follow
  case $1 in
    '') REPLY='demo login logout whoami profiles tx recipient batch approver books statement summary search sender reconcile balance validate-account rates currencies methods payout-method payin-method document mandate reports logs webhooks check sandbox api corridors doctor explain commands completion help history' ;;
    'tx') REPLY='create fund cancel show list calculate validate watch' ;;
    'batch') REPLY='template check plan approve run watch status list rows show settle cancel report remaining take-back forget work' ;;
    'approver') REPLY='create list export' ;;
    'books') REPLY='sync status forget' ;;
    'recipient') REPLY='list show triage edit cancel proofs' ;;
    'sender') REPLY='find show create list edit disable' ;;
    'payout-method') REPLY='list show create edit disable' ;;
    'payin-method') REPLY='show edit cancel retry' ;;
    'document') REPLY='list show create' ;;
    'mandate') REPLY='show' ;;
    'reports') REPLY='list download' ;;
    'logs') REPLY='api webhooks show tail' ;;
    'webhooks') REPLY='listen verify sign send test-handler list add remove events show replay backfill prune' ;;
    'check') REPLY='onboarding polling' ;;
    'sandbox') REPLY='start exec env scenario clock payout payin balance approve reject ban review refund mandate fail faults settings state explain assumptions seed snapshot restore reset' ;;
    *) REPLY= ;;
  esac
}

_remit_flags() { # flags of one command, and those of all
  case $1 in
    'demo') REPLY='--break-rule' ;;
    'login') REPLY='--base-url --environment --key --secret-stdin --secret-file --secret-env --send-secret --ca-file --no-keychain --no-check --same-account --another-account --default --read-only --max-amount' ;;
    'logout'|'whoami'|'tx show'|'approver list'|'approver export'|'sender find'|'sender show'|'sender disable'|'payout-method show'|'payout-method disable'|'payin-method show'|'payin-method cancel'|'document show'|'mandate show'|'logs show'|'webhooks remove'|'sandbox clock'|'sandbox balance'|'sandbox review'|'sandbox refund'|'sandbox mandate'|'sandbox settings'|'sandbox state'|'sandbox explain'|'sandbox assumptions'|'sandbox snapshot'|'sandbox restore'|'sandbox reset'|'doctor'|'commands'|'help') REPLY='' ;;
    'profiles') REPLY='--key --secret-stdin --secret-file --secret-env --fingerprint' ;;
    'tx create') REPLY='--file --from --input-currency --amount --currency --type --recipient-type --detail --payin --payin-flow --payin-detail --sender --sender-field --external-id --metadata --recipient-metadata --payout-metadata --no-auto-refund --account-validation --no-account-validation --account-as-written --fund --max-input --wait --timeout --new-payment --dry-run' ;;
    'tx fund') REPLY='--max-input --wait --timeout --new-payment' ;;
    'tx cancel') REPLY='--request --wait --timeout' ;;
    'tx list') REPLY='--external-id --sender --kind --state --currency --amount-from --amount-to --since --until --limit --all' ;;
    'tx calculate'|'tx validate') REPLY='--file --from --input-currency --amount --currency --type --recipient-type --detail --payin --payin-flow --payin-detail --sender --sender-field --external-id --metadata --recipient-metadata --payout-metadata --no-auto-refund --account-validation --no-account-validation --account-as-written' ;;
    'tx watch') REPLY='--until --timeout' ;;
    'recipient list') REPLY='--tx --state --type --name --reason --category --currency --amount-from --amount-to --since --until --limit --all' ;;
    'recipient show') REPLY='--tx --timeline --all' ;;
    'recipient triage') REPLY='--state --currency --since --until --pending-after --limit --all' ;;
    'recipient edit') REPLY='--detail --tx --skip-validation --name-as-given --account-as-written --new-payment' ;;
    'recipient cancel') REPLY='--tx --request --wait --timeout' ;;
    'recipient proofs') REPLY='--tx --download' ;;
    'batch template') REPLY='--choices' ;;
    'batch check') REPLY='--format --map --decimal-comma --type --currency --input-currency --sender --recipient-type --allow-duplicates --pay-now --check-accounts --accounts-as-written --offline' ;;
    'batch plan') REPLY='--name --max-input --rate-tolerance --repeat --accept-paid-before --offline --format --map --decimal-comma --type --currency --input-currency --sender --recipient-type --allow-duplicates --pay-now --check-accounts --accounts-as-written --store --store-password-file' ;;
    'batch approve') REPLY='--digest --as --until --reject --because --store --store-password-file' ;;
    'batch run') REPLY='--in-flight --per-second --rate-tolerance --accept-paid-before --store --store-password-file' ;;
    'batch watch') REPLY='--timeout --store --store-password-file' ;;
    'batch status') REPLY='--update --store --store-password-file' ;;
    'batch list'|'batch show'|'batch take-back'|'books status') REPLY='--store --store-password-file' ;;
    'batch rows') REPLY='--state --limit --all --store --store-password-file' ;;
    'batch settle') REPLY='--rows --not-paid --because --store --store-password-file' ;;
    'batch cancel') REPLY='--rows --store --store-password-file' ;;
    'batch report') REPLY='--pain002 --store --store-password-file' ;;
    'batch remaining') REPLY='--refunded --hand-on --store --store-password-file' ;;
    'batch forget') REPLY='--before --conflicts --dry-run --store --store-password-file' ;;
    'batch work') REPLY='--in-flight --per-second --lease --once --store --store-password-file' ;;
    'approver create') REPLY='--no-keychain' ;;
    'books sync') REPLY='--check --all --no-names --per-minute --store --store-password-file' ;;
    'books forget') REPLY='--before --all --store --store-password-file' ;;
    'statement') REPLY='--currency --month --since --until --from-first-seen --totals --camt053 --limit --all --store --store-password-file' ;;
    'summary') REPLY='--by --month --since --until --svg --limit --all --store --store-password-file' ;;
    'search') REPLY='--limit --store --store-password-file' ;;
    'sender create') REPLY='--file --type --external-id --first-name --last-name --name --country --email --phone-number --ip --field --document' ;;
    'sender list') REPLY='--external-id --state --name --since --until --limit --all' ;;
    'sender edit') REPLY='--file --type --external-id --first-name --last-name --name --country --email --phone-number --ip --set' ;;
    'reconcile') REPLY='--against --month --days --by --map --decimal-comma --currency --sums --payments --dates --ending --totals --exceptions --decisions --limit --all --store --store-password-file' ;;
    'balance') REPLY='--min --partner --watch --count --timeout' ;;
    'validate-account') REPLY='--type --country --currency --method --bank-code --bank-account --iban --phone-number --mobile-provider --account-as-written' ;;
    'rates') REPLY='--sender' ;;
    'currencies') REPLY='--in --out --sender' ;;
    'methods') REPLY='--in --out' ;;
    'payout-method list') REPLY='--state --type --sender --since --until --limit --all' ;;
    'payout-method create') REPLY='--file --type --detail --metadata --account-as-written' ;;
    'payout-method edit') REPLY='--detail --account-as-written --new-payment' ;;
    'payin-method edit') REPLY='--otp --detail --account-as-written --new-payment' ;;
    'payin-method retry') REPLY='--new-payment' ;;
    'document list'|'webhooks list') REPLY='--limit --all' ;;
    'document create') REPLY='--file --url --name --type --side --number --expiry --metadata' ;;
    'reports list') REPLY='--type --environment --limit --all' ;;
    'reports download') REPLY='--month --type --environment --to --force' ;;
    'logs api') REPLY='--request --status --since --until --limit --all' ;;
    'logs webhooks') REPLY='--event --failed --since --until --limit --all' ;;
    'logs tail') REPLY='--webhooks --since --count' ;;
    'webhooks listen') REPLY='--host --port --path --tls-cert --tls-key --allow-from --trust-proxy --public-url --max-body --events --filter --register --no-register --forward-to --resign --forward-invalid --exec --exec-timeout --attempts --also-profile --secret-file --no-catch-up --ready-file --count --books --store --store-password-file' ;;
    'webhooks verify') REPLY='--delivery --url --body --header --headers-file --test-key --key --secret-file --secret-env --explain --remote --store --store-password-file' ;;
    'webhooks sign') REPLY='--event --tx --data --url --as-profile --save' ;;
    'webhooks send') REPLY='--to --event --tx --data --url --times --nonce --bad-signature --timeout --as-profile' ;;
    'webhooks test-handler') REPLY='--to --url --event --only --counter --list --timeout --as-profile' ;;
    'webhooks add') REPLY='--event' ;;
    'webhooks events') REPLY='--event --state --since --tx --limit --all --names --remote --store --store-password-file' ;;
    'webhooks show') REPLY='--save --raw --store --store-password-file' ;;
    'webhooks replay') REPLY='--event --state --since --tx --to --store --store-password-file' ;;
    'webhooks backfill') REPLY='--since --public-url --webhook --no-hand-on --store --store-password-file' ;;
    'webhooks prune') REPLY='--older-than --dead-letters --forget-nonces --store --store-password-file' ;;
    'check onboarding'|'check polling') REPLY='--since' ;;
    'sandbox start') REPLY='--port --data --seed --clock --host --allow-remote --deliver-to' ;;
    'sandbox exec') REPLY='--webhook --seed --run --deliver-to' ;;
    'sandbox env') REPLY='--shell' ;;
    'sandbox scenario') REPLY='--list --show' ;;
    'sandbox payout') REPLY='--outcome --code --recipient' ;;
    'sandbox payin') REPLY='--type --amount --outcome --code' ;;
    'sandbox approve'|'sandbox reject') REPLY='--reason' ;;
    'sandbox ban') REPLY='--reason --lift' ;;
    'sandbox fail') REPLY='--next --always --operation --corridor --event --webhook --delay --status' ;;
    'sandbox faults') REPLY='--fired --clear --disarm' ;;
    'sandbox seed') REPLY='--rounds' ;;
    'api') REPLY='--raw-field --field --input --data --param --paginate --include --new-payment --dry-run' ;;
    'corridors') REPLY='--business --options --search --skeleton --sample' ;;
    'explain') REPLY='--kind' ;;
    'completion') REPLY='--dry-run' ;;
    'history') REPLY='--state --since --until --all-profiles --command --limit --all --look --as --because' ;;
    *) REPLY= ;;
  esac
  REPLY="$REPLY "'--output --fields --query --spreadsheet --profile --yes --live --zone --no-input --reveal --color --no-color --quiet --fresh --request-timeout --insecure --debug --help'
}

_remit_source() { # where the values of a flag or of an argument come from
  case $1 in
    'demo --break-rule') REPLY='=refund_posts_nothing expiry_never edit_ignored' ;;
    'login --base-url'|'login --key'|'login --secret-env'|'login --max-amount'|'profiles --key'|'profiles --secret-env'|'profiles --fingerprint'|'tx create --amount'|'tx create --payin-flow'|'tx create --payin-detail'|'tx create --sender-field'|'tx create --external-id'|'tx create --metadata'|'tx create --recipient-metadata'|'tx create --payout-metadata'|'tx create --max-input'|'tx create --timeout'|'tx fund --max-input'|'tx fund --timeout'|'tx cancel --timeout'|'tx list --external-id'|'tx list --amount-from'|'tx list --amount-to'|'tx list --since'|'tx list --until'|'tx list --limit'|'tx calculate --amount'|'tx calculate --payin-flow'|'tx calculate --payin-detail'|'tx calculate --sender-field'|'tx calculate --external-id'|'tx calculate --metadata'|'tx calculate --recipient-metadata'|'tx calculate --payout-metadata'|'tx validate --amount'|'tx validate --payin-flow'|'tx validate --payin-detail'|'tx validate --sender-field'|'tx validate --external-id'|'tx validate --metadata'|'tx validate --recipient-metadata'|'tx validate --payout-metadata'|'tx watch --timeout'|'recipient list --name'|'recipient list --reason'|'recipient list --category'|'recipient list --amount-from'|'recipient list --amount-to'|'recipient list --since'|'recipient list --until'|'recipient list --limit'|'recipient triage --since'|'recipient triage --until'|'recipient triage --pending-after'|'recipient triage --limit'|'recipient cancel --timeout'|'recipient proofs --download'|'batch check --map'|'batch check --accounts-as-written'|'batch plan --name'|'batch plan --max-input'|'batch plan --rate-tolerance'|'batch plan --repeat'|'batch plan --accept-paid-before'|'batch plan --map'|'batch plan --accounts-as-written'|'batch plan --store'|'batch approve --digest'|'batch approve --as'|'batch approve --until'|'batch approve --because'|'batch approve --store'|'batch run --in-flight'|'batch run --per-second'|'batch run --rate-tolerance'|'batch run --accept-paid-before'|'batch run --store'|'batch watch --timeout'|'batch watch --store'|'batch status --store'|'batch list --store'|'batch rows --limit'|'batch rows --store'|'batch show --store'|'batch settle --rows'|'batch settle --because'|'batch settle --store'|'batch cancel --rows'|'batch cancel --store'|'batch report --store'|'batch remaining --store'|'batch take-back --store'|'batch forget --before'|'batch forget --store'|'batch work --in-flight'|'batch work --per-second'|'batch work --lease'|'batch work --store'|'books sync --per-minute'|'books sync --store'|'books status --store'|'books forget --before'|'books forget --store'|'statement --month'|'statement --since'|'statement --until'|'statement --limit'|'statement --store'|'summary --month'|'summary --since'|'summary --until'|'summary --limit'|'summary --store'|'search --limit'|'search --store'|'sender create --external-id'|'sender create --first-name'|'sender create --last-name'|'sender create --name'|'sender create --country'|'sender create --email'|'sender create --phone-number'|'sender create --ip'|'sender create --field'|'sender create --document'|'sender list --external-id'|'sender list --name'|'sender list --since'|'sender list --until'|'sender list --limit'|'sender edit --external-id'|'sender edit --first-name'|'sender edit --last-name'|'sender edit --name'|'sender edit --country'|'sender edit --email'|'sender edit --phone-number'|'sender edit --ip'|'sender edit --set'|'reconcile --month'|'reconcile --days'|'reconcile --map'|'reconcile --limit'|'reconcile --store'|'balance --min'|'balance --count'|'balance --timeout'|'validate-account --bank-code'|'validate-account --bank-account'|'validate-account --iban'|'validate-account --phone-number'|'validate-account --mobile-provider'|'payout-method list --since'|'payout-method list --until'|'payout-method list --limit'|'payout-method create --metadata'|'payin-method edit --otp'|'document list --limit'|'document create --url'|'document create --name'|'document create --type'|'document create --number'|'document create --expiry'|'document create --metadata'|'reports list --limit'|'reports download --month'|'logs api --request'|'logs api --status'|'logs api --since'|'logs api --until'|'logs api --limit'|'logs webhooks --since'|'logs webhooks --until'|'logs webhooks --limit'|'logs tail --since'|'logs tail --count'|'webhooks listen --host'|'webhooks listen --port'|'webhooks listen --allow-from'|'webhooks listen --public-url'|'webhooks listen --max-body'|'webhooks listen --events'|'webhooks listen --filter'|'webhooks listen --forward-to'|'webhooks listen --exec'|'webhooks listen --exec-timeout'|'webhooks listen --attempts'|'webhooks listen --also-profile'|'webhooks listen --count'|'webhooks listen --store'|'webhooks verify --url'|'webhooks verify --header'|'webhooks verify --key'|'webhooks verify --secret-env'|'webhooks verify --store'|'webhooks sign --url'|'webhooks send --to'|'webhooks send --url'|'webhooks send --times'|'webhooks send --nonce'|'webhooks send --timeout'|'webhooks test-handler --to'|'webhooks test-handler --url'|'webhooks test-handler --only'|'webhooks test-handler --counter'|'webhooks test-handler --timeout'|'webhooks list --limit'|'webhooks events --since'|'webhooks events --limit'|'webhooks events --store'|'webhooks show --store'|'webhooks replay --since'|'webhooks replay --to'|'webhooks replay --store'|'webhooks backfill --since'|'webhooks backfill --public-url'|'webhooks backfill --webhook'|'webhooks backfill --store'|'webhooks prune --older-than'|'webhooks prune --store'|'check onboarding --since'|'check polling --since'|'sandbox start --port'|'sandbox start --seed'|'sandbox start --host'|'sandbox start --deliver-to'|'sandbox exec --webhook'|'sandbox exec --seed'|'sandbox exec --deliver-to'|'sandbox payout --recipient'|'sandbox payin --amount'|'sandbox approve --reason'|'sandbox reject --reason'|'sandbox ban --reason'|'sandbox fail --next'|'sandbox fail --webhook'|'sandbox fail --delay'|'sandbox fail --status'|'sandbox faults --disarm'|'sandbox seed --rounds'|'corridors --options'|'corridors --search'|'history --since'|'history --until'|'history --command'|'history --limit'|'history --because'|*\ '--fields'|*\ '--query'|*\ '--zone'|*\ '--request-timeout'|'demo 1'|'logout 1'|'profiles 2'|'profiles'\ [3-9]*|'batch show 2'|'approver create 1'|'approver export 1'|'search'\ [1-9]*|'rates 3'|'payout-method show 1'|'payout-method edit 1'|'payout-method disable 1'|'document show 1'|'reports download 1'|'logs show 1'|'webhooks verify 1'|'webhooks add 1'|'webhooks remove 1'|'webhooks show 1'|'webhooks replay'\ [1-9]*|'sandbox clock 2'|'sandbox balance 2'|'sandbox settings'\ [1-9]*|'sandbox assumptions 1'|'api'\ [2-9]*|'completion 2'|'help'\ [1-9]*|'history 2') REPLY='any' ;;
    'login --environment') REPLY='=sandbox production' ;;
    'login --secret-file'|'login --ca-file'|'profiles --secret-file'|'tx create --file'|'tx create -f'|'tx calculate --file'|'tx calculate -f'|'tx validate --file'|'tx validate -f'|'batch template --choices'|'batch plan --store-password-file'|'batch approve --store-password-file'|'batch run --store-password-file'|'batch watch --store-password-file'|'batch status --store-password-file'|'batch list --store-password-file'|'batch rows --store-password-file'|'batch show --store-password-file'|'batch settle --store-password-file'|'batch cancel --store-password-file'|'batch report --store-password-file'|'batch remaining --hand-on'|'batch remaining --store-password-file'|'batch take-back --store-password-file'|'batch forget --store-password-file'|'batch work --store-password-file'|'books sync --store-password-file'|'books status --store-password-file'|'books forget --store-password-file'|'statement --store-password-file'|'summary --svg'|'summary --store-password-file'|'search --store-password-file'|'sender create --file'|'sender create -f'|'sender edit --file'|'sender edit -f'|'reconcile --against'|'reconcile --exceptions'|'reconcile --decisions'|'reconcile --store-password-file'|'payout-method create --file'|'payout-method create -f'|'document create --file'|'document create -f'|'reports download --to'|'webhooks listen --path'|'webhooks listen --tls-cert'|'webhooks listen --tls-key'|'webhooks listen --secret-file'|'webhooks listen --ready-file'|'webhooks listen --store-password-file'|'webhooks verify --delivery'|'webhooks verify --body'|'webhooks verify --headers-file'|'webhooks verify --secret-file'|'webhooks verify --store-password-file'|'webhooks sign --data'|'webhooks sign --save'|'webhooks send --data'|'webhooks events --store-password-file'|'webhooks show --save'|'webhooks show --store-password-file'|'webhooks replay --store-password-file'|'webhooks backfill --store-password-file'|'webhooks prune --store-password-file'|'sandbox start --data'|'api --input'|'batch check 1'|'batch plan 1'|'reconcile 1'|'sandbox exec'\ [2-9]*|'sandbox snapshot 1'|'sandbox restore 1') REPLY='file' ;;
    'tx create --from'|'tx calculate --from'|'tx validate --from'|'recipient list --tx'|'recipient show --tx'|'recipient edit --tx'|'recipient cancel --tx'|'recipient proofs --tx'|'webhooks sign --tx'|'webhooks send --tx'|'webhooks events --tx'|'webhooks replay --tx'|'tx fund'\ [1-9]*|'tx cancel 1'|'tx show 1'|'tx watch 1'|'payin-method show 1'|'payin-method edit 1'|'payin-method cancel 1'|'payin-method retry 1'|'sandbox payout 1'|'sandbox payin 1'|'sandbox review 1'|'sandbox refund 1') REPLY='@transaction' ;;
    'tx create --input-currency'|'tx create --currency'|'tx list --currency'|'tx calculate --input-currency'|'tx calculate --currency'|'tx validate --input-currency'|'tx validate --currency'|'recipient list --currency'|'recipient triage --currency'|'batch check --currency'|'batch check --input-currency'|'batch plan --currency'|'batch plan --input-currency'|'statement --currency'|'reconcile --currency'|'balance 1'|'rates 1'|'rates 2'|'sandbox balance 1') REPLY='+currencies' ;;
    'tx create --type'|'tx calculate --type'|'tx validate --type'|'recipient list --type'|'batch check --type'|'batch plan --type'|'validate-account --type'|'payout-method list --type'|'payout-method create --type'|'sandbox fail --corridor'|'batch template'\ [1-9]*|'methods 1'|'corridors 1') REPLY='+payouts' ;;
    'tx create --recipient-type'|'tx calculate --recipient-type'|'tx validate --recipient-type'|'batch check --recipient-type'|'batch plan --recipient-type'|'sender create --type'|'sender edit --type') REPLY='=person business' ;;
    'tx create --detail'|'tx calculate --detail'|'tx validate --detail'|'recipient edit --detail'|'payout-method create --detail'|'payout-method edit --detail'|'payin-method edit --detail') REPLY='+details' ;;
    'tx create --payin'|'tx calculate --payin'|'tx validate --payin') REPLY='+payins' ;;
    'tx create --sender'|'tx list --sender'|'tx calculate --sender'|'tx validate --sender'|'batch check --sender'|'batch plan --sender'|'rates --sender'|'currencies --sender'|'payout-method list --sender'|'sender find 1'|'sender show 1'|'sender edit 1'|'sender disable 1'|'sandbox approve 1'|'sandbox reject 1'|'sandbox ban 1') REPLY='@sender' ;;
    'tx list --kind') REPLY='=automated manual' ;;
    'tx list --state'|'tx watch --until') REPLY='=initial approved pending processing received mispaid manual paid canceled refunded exception' ;;
    'recipient list --state') REPLY='=initial pending success error refunded manual stuck overpaid canceled exception' ;;
    'recipient triage --state') REPLY='=error manual stuck overpaid exception pending' ;;
    'batch check --format'|'batch plan --format') REPLY='=csv ndjson json yaml xml' ;;
    'batch rows --state') REPLY='=planned sending created paid in_error refunded cancelled refused conflict handed_on unknown' ;;
    'summary --by') REPLY='=corridor currency day month state sender reason' ;;
    'sender list --state') REPLY='=initial incomplete verified approved banned rejected disabled' ;;
    'reconcile --by') REPLY='=input requested' ;;
    'reconcile --sums') REPLY='=refuse warn' ;;
    'reconcile --payments') REPLY='=plus minus debit credit' ;;
    'reconcile --dates') REPLY='=dmy mdy' ;;
    'reconcile --ending') REPLY='=matched expected not_funded only_in_ledger only_at_service only_in_statement amount_differs currency_differs state_differs duplicate outside' ;;
    'validate-account --country') REPLY='=BF BJ CG CI CM GA GH KE NG SN TD TG UG' ;;
    'validate-account --currency') REPLY='=NGN GHS KES XOF UGX XAF' ;;
    'validate-account --method') REPLY='=bank mobile' ;;
    'payout-method list --state') REPLY='=enabled disabled' ;;
    'document create --side') REPLY='=front back' ;;
    'reports list --type'|'reports download --type') REPLY='=transaction account' ;;
    'reports list --environment'|'reports download --environment') REPLY='=test live' ;;
    'logs webhooks --event'|'webhooks sign --event'|'webhooks send --event'|'webhooks test-handler --event'|'webhooks add --event'|'webhooks events --event'|'webhooks replay --event'|'sandbox fail --event') REPLY='+events' ;;
    'webhooks events --state'|'webhooks replay --state') REPLY='=kept waiting handed_on dead_letter invalid' ;;
    'sandbox start --clock') REPLY='=running standing' ;;
    'sandbox env --shell') REPLY='=bash zsh fish powershell' ;;
    'sandbox scenario --show') REPLY='+scenarios' ;;
    'sandbox payout --outcome') REPLY='=paid pending error stuck overpaid exception manual' ;;
    'sandbox payout --code'|'sandbox payin --code') REPLY='+codes' ;;
    'sandbox payin --type') REPLY='=GHS::Mobile UGX::Mobile XOF::Mobile NGN::Bank EUR::Bank GBP::Bank BTC' ;;
    'sandbox payin --outcome') REPLY='=paid processing error exception' ;;
    'sandbox fail --operation') REPLY='+operations' ;;
    'api --raw-field'|'api -f'|'api --field'|'api -F'|'api --param') REPLY='+queries' ;;
    'api --data'|'api -d') REPLY='atfile' ;;
    'explain --kind') REPLY='=state code category event field' ;;
    'history --state') REPLY='=open applied not_applied unknown conflict' ;;
    'history --as') REPLY='=applied not-applied' ;;
    *\ '--output'|*\ '-o') REPLY='+formats' ;;
    *\ '--profile'|*\ '--live'|'profiles use 2'|'profiles set 2') REPLY='@profile' ;;
    *\ '--color') REPLY='=auto always never' ;;
    'history show 2') REPLY='@intent' ;;
    'history settle 2') REPLY='@unsettled' ;;
    'profiles set'\ [3-9]*) REPLY='+settings' ;;
    'completion install 2') REPLY='+shells' ;;
    'api recipients.cancel 2'|'api recipients.edit 2'|'api recipients.proofs 2') REPLY='@recipient-id' ;;
    'api senders.get 2'|'api senders.disable 2'|'api senders.edit 2') REPLY='@sender-id' ;;
    'api transactions.get 2'|'api transactions.payin 2'|'api transactions.payout 2') REPLY='@transaction-id' ;;
    'profiles 1') REPLY='+profiles' ;;
    'recipient show 1'|'recipient edit 1'|'recipient cancel'\ [1-9]*|'recipient proofs 1'|'mandate show 1') REPLY='@recipient' ;;
    'batch approve 1'|'batch run 1'|'batch watch 1'|'batch status 1'|'batch rows 1'|'batch show 1'|'batch settle 1'|'batch cancel 1'|'batch report 1'|'batch remaining 1'|'batch take-back 1'|'batch forget 1') REPLY='@run' ;;
    'sandbox exec 1') REPLY='program' ;;
    'sandbox scenario 1') REPLY='+scenarios file' ;;
    'sandbox clock 1') REPLY='+clock' ;;
    'sandbox review 2') REPLY='+reviews' ;;
    'sandbox mandate 1'|'sandbox explain 1') REPLY='@transaction,recipient' ;;
    'sandbox mandate 2') REPLY='+mandates' ;;
    'sandbox fail 1') REPLY='+faults' ;;
    'api 1') REPLY='+operations +methods' ;;
    'explain'\ [1-9]*) REPLY='+words' ;;
    'completion 1') REPLY='+completion' ;;
    'history 1') REPLY='+history' ;;
    *) REPLY= ;;
  esac
}

_remit_list() {
  case $1 in
    'formats') REPLY='table text json ndjson csv yaml' ;;
    'currencies') REPLY='AED BRL BTC BWP CAD CHF CNY CRC EGP EUR GBP GHS GNF GTQ INR JPY KES KRW MAD NGN NZD PEN TZS UGX USD VND XAF XOF ZAR ZMW' ;;
    'payouts') REPLY='BRL::Bank BTC BWP::Bank EGP::Bank EGP::Cash EUR::Bank GBP::Bank GHS::Bank GHS::Mobile GNF::Mobile KES::Bank KES::Mobile MAD::Cash NGN::Bank UGX::Bank UGX::Mobile USD::Bank XAF::Bank XAF::Mobile XOF::Bank XOF::Cash XOF::Mobile ZAR::Bank ZMW::Bank' ;;
    'payins') REPLY='GHS::Mobile UGX::Mobile XOF::Mobile NGN::Bank EUR::Bank GBP::Bank BTC' ;;
    'events') REPLY='document.created document.disabled payin_method.canceled payin_method.error payin_method.exception payin_method.incomplete payin_method.mispaid payin_method.paid_in payin_method.pending payin_method.processing payin_method.refunded payout_method.created payout_method.disabled recipient.error recipient.paid_out recipient.pending recipient.refunded sender.approved sender.created sender.disabled sender.rejected transaction.approved transaction.canceled transaction.created transaction.exception transaction.mispaid transaction.paid_in transaction.paid_out transaction.refunded transaction_request.accepted transaction_request.canceled transaction_request.confirmed transaction_request.created transaction_request.expired transaction_request.modified transaction_request.refused transaction_request.rejected transaction_request.reset' ;;
    'operations') REPLY='accounts.list accounts.get debits.create account_validations.create api_logs.list api_logs.get partner_balance.list currencies.list currencies.in currencies.out documents.list documents.create documents.get payment_methods.in payment_methods.out webhook_logs.list webhook_logs.get mandates.get payin_methods.get payin_methods.cancel payin_methods.edit payin_methods.retry payout_methods.list payout_methods.create payout_methods.get payout_methods.disable payout_methods.edit recipients.list recipients.cancel recipients.edit recipients.proofs senders.list senders.create senders.get senders.disable senders.edit transactions.list transactions.create transactions.calculate transactions.validate transactions.create_and_fund transactions.get transactions.payin transactions.payout webhooks.list webhooks.create webhooks.get webhooks.delete webhooks.events' ;;
    'methods') REPLY='GET POST PATCH PUT DELETE' ;;
    'faults') REPLY='refused slow 5xx reset-before-commit response-lost webhook-first webhook-duplicate webhook-reordered webhook-delayed webhook-missigned paid-while-cancelling pending-loop provider-outage corridor-inactive' ;;
    'codes') REPLY='0 1 11 12 13 14 15 16 17 18 2 21 22 23 3 31 311 32 321 33 331 34 4 41 411 412 413 414 415 416 42 421 422 423 43 431 432 433 434 44 45 5 51 511 52 53 531 54 541 542 543' ;;
    'words') REPLY='initial pending success error refunded manual stuck overpaid canceled exception approved processing received mispaid paid incomplete verified banned rejected disabled 0 1 11 12 13 14 15 16 17 18 2 21 22 23 3 31 311 32 321 33 331 34 4 41 411 412 413 414 415 416 42 421 422 423 43 431 432 433 434 44 45 5 51 511 52 53 531 54 541 542 543 timeout_error manual_reconciliation_required recipient_action_required temporary_error recipient_error sender_error sender_action_required invalid_user_data_error document.created document.disabled payin_method.canceled payin_method.error payin_method.exception payin_method.incomplete payin_method.mispaid payin_method.paid_in payin_method.pending payin_method.processing payin_method.refunded payout_method.created payout_method.disabled recipient.error recipient.paid_out recipient.pending recipient.refunded sender.approved sender.created sender.disabled sender.rejected transaction.approved transaction.canceled transaction.created transaction.exception transaction.mispaid transaction.paid_in transaction.paid_out transaction.refunded transaction_request.accepted transaction_request.canceled transaction_request.confirmed transaction_request.created transaction_request.expired transaction_request.modified transaction_request.refused transaction_request.rejected transaction_request.reset amount_after_pending auto_refund account_validation created_at due_amount editable exchange_rate existing expires_at external_id fields input_amount input_currency mandate_id may_cancel metadata mtm_rate output_amount output_currency paid_amount payin_methods payin_reference payout_method recipients requested_amount requested_currency retriable sender state state_reason state_reason_details traits transaction_state ux_flow WTR2' ;;
    'transaction-states') REPLY='initial approved pending processing received mispaid manual paid canceled refunded exception' ;;
    'recipient-states') REPLY='initial pending success error refunded manual stuck overpaid canceled exception' ;;
    'reviews') REPLY='hold release exception resume' ;;
    'mandates') REPLY='notified signed failed bypassed' ;;
    'clock') REPLY='show advance set run stop' ;;
    'history') REPLY='list show settle' ;;
    'profiles') REPLY='list use set' ;;
    'completion') REPLY='bash zsh fish powershell install' ;;
    'shells') REPLY='bash zsh fish powershell' ;;
    'settings') REPLY='read_only=true read_only=false two_person=true repeat_days= approvers= approvals_needed= max_amount. output=' ;;
    'queries') REPLY='amount_from= amount_to= created_at_from= created_at_to= currency[]= external_id= page= per= sender_id= state[]= transactions_type= type[]=' ;;
    'scenarios') REPLY='wrong-account temporary-error sender-error too-many-tries auto-refund paid-while-cancelling cancel-kept-until-failure not-funded-in-time too-little-balance answer-lost webhook-first name-mismatch stuck wrong-amount-collected collection-fails mandate' ;;
    'details') REPLY='first_name= middle_name= last_name= city= postal_code= identity_card_id= transfer_reason= phone_number= pix_key_type= pix_key_value= bank_code= branch_code= bank_account= bank_account_type= name= address= bank_name= street= email= reference= iban= bic= narration= sort_code= gender= mobile_provider= identity_card_type= relationship_to_sender= reason= registration_number= country= bank_country= cash_provider= contact_first_name= contact_last_name= legal_entity_type= nature_of_business=' ;;
    *) REPLY= ;;
  esac
}

# Words as they were typed up to the cursor: bash splits at = and : too.
_remit_split() {
  local line=${COMP_LINE:0:COMP_POINT} i word glued
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    glued=1
    while [[ $line == [[:space:]]* ]]; do line=${line#?} glued=; done
    word=${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && word=$line
    line=${line#"$word"}
    if [[ -n $glued && $i -gt 0 ]]; then words[${#words[@]}-1]+=$word; else words+=("$word"); fi
  done
}

_remit_offer() { # a value that begins as the word does
  [[ -n $1 && $1 == "$want"* ]] && COMPREPLY+=("$before$1")
}

_remit_words() {
  local IFS=' ' value
  for value in $1; do _remit_offer "$value"; done
}

_remit_files() { # $1 stands before the path
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$before$1$path"); done < <(compgen -f -- "${want#"$1"}")
}

_remit_values() { # of one source
  local part value IFS=' '
  [[ $1 == =* ]] && _remit_words "${1#=}" && return
  for part in $1; do
    case $part in
      +*) _remit_list "${part#+}" && _remit_words "$REPLY" ;;
      @*)
        while IFS= read -r value; do _remit_offer "${value%%$'	'*}"; done           < <(command remit __complete "${part#@}" "$want" "$profile" 2>/dev/null)
        ;;
      file) _remit_files '' ;;
      atfile) [[ $want == @* ]] && _remit_files @ ;;
      program) while IFS= read -r value; do COMPREPLY+=("$value"); done < <(compgen -c -- "$want") ;;
    esac
  done
}

_remit() {
  local REPLY i word want before= path= place=1 first= flag= source= profile= helping= ended=
  local -a words
  COMPREPLY=()
  _remit_split
  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    word=${words[i]}
    if [[ -n $source ]]; then
      [[ $flag == --profile ]] && profile=$word
      source=
      continue
    fi
    case $word in
      --) ended=1 ;;
      --profile=*) profile=${word#*=} ;;
      --*=*) ;;
      -?*) [[ -n $ended ]] || { flag=$word; _remit_source "$path $word"; source=$REPLY; } ;;
      *)
        _remit_next "$path"
        if [[ $place == 1 && " $REPLY " == *" $word "* ]]; then
          if [[ -z $path && $word == help ]]; then helping=1; else path=${path:+$path }$word; fi
        else
          [[ $place == 1 ]] && first=$word
          place=$((place + 1))
        fi
        ;;
    esac
  done
  want=${words[${#words[@]}-1]}
  if [[ -n $source ]]; then
    _remit_values "$source"
  elif [[ -z $ended && $want == --*=* ]]; then
    before=${want%%=*}= want=${want#*=}
    _remit_source "$path ${before%=}"
    _remit_values "$REPLY"
  elif [[ -z $ended && $want == -* ]]; then
    _remit_flags "$path"
    _remit_words "$REPLY"
  else
    _remit_next "$path"
    [[ $place == 1 ]] || REPLY=
    [[ -n $helping && -z $path ]] && REPLY+=' exit-codes flags environment output'
    if [[ -n $REPLY ]]; then
      _remit_words "$REPLY"
    elif [[ -z $helping ]]; then
      [[ $place == 1 ]] || _remit_source "$path $first $place"
      [[ -n $REPLY ]] || _remit_source "$path $place"
      _remit_values "$REPLY"
    fi
  fi
  # bash puts an answer in place of what follows the last =, : or @ of the word.
  want=$before$want before=
  for word in = : @; do
    [[ $COMP_WORDBREAKS == *$word* && $want == *$word* ]] || continue
    flag=${want%"${want##*$word}"}
    [[ ${#flag} -gt ${#before} ]] && before=$flag
  done
  for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$before"}; done
}

complete -F _remit remit
