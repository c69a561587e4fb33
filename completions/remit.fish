# remit completion for fish. Made by `remit completion fish`: words are here, ids and profiles are asked of remit.

function __remit_next
    switch "$argv[1]"
        case ''
            printf '%s\n' 'demo	Run the main job, end to end, on its own sandbox' 'login	Add an account: base URL, environment, key and secret' 'logout	Remove a profile and its secret' 'whoami	Show the account, its environment, and whether the service accepts it' 'profiles	List profiles, or choose the default' 'tx	Create, fund, cancel and look up transactions' 'recipient	Find, correct and cancel payouts to recipients' 'batch	Pay a file of payments, exactly once' 'approver	Make and show keys that sign approvals of pay runs' 'books	Keep a copy of the account’s transactions on this machine' 'statement	Show what moved a balance, and what it was' 'summary	Count and add up payouts in groups' 'search	Find a payment by what a customer can read out' 'sender	Find, create and change senders' 'reconcile	Compare a ledger with the service, or a bank statement' 'balance	Show balances; --min checks that there is enough' 'validate-account	Ask the provider about an account' 'rates	Show the rate between two currencies' 'currencies	List currencies, and which can be changed into which' 'methods	List ways to pay in and out, and their fields' 'payout-method	Store and change payout methods' 'payin-method	Show, complete, retry and cancel collections' 'document	List and upload documents of senders' 'mandate	Show mandates of recipients' 'reports	List and download the service\'s own monthly reports' 'logs	Show what the service received from you and sent to you' 'webhooks	Receive, verify and register webhooks' 'check	Check an integration before it goes live' 'sandbox	Run the whole service on this machine' 'api	Call any operation, raw and signed' 'corridors	List payout types, their fields, and a payment to fill in' 'doctor	Check settings, secret, service and webhooks' 'explain	Explain a code, a state, an event or a field, offline' 'commands	List every command and flag, for programs' 'completion	Print or install completion for your shell' 'help	Show help on a command or a topic' 'history	List payments and changes that this machine sent'
        case 'tx'
            printf '%s\n' 'create	Create a transaction; with --fund, pay it at once' 'fund	Fund a transaction from the balance' 'cancel	Cancel every recipient of a transaction' 'show	Show a transaction with its recipients' 'list	List transactions' 'calculate	Show amounts and rate, without creating anything' 'validate	Check a transaction and its payin flows, without creating it' 'watch	Follow a transaction until it is over'
        case 'batch'
            printf '%s\n' 'template	Print a file of payments to fill in' 'check	Check a file of payments' 'plan	Keep a file of payments as a run' 'approve	Approve a run by its digest' 'run	Pay a run; can be killed and run again' 'watch	Follow a run until its rows are paid out' 'status	Show where a run stands' 'list	List runs' 'rows	List the rows of a run' 'show	Show one row of a run' 'settle	Find out about rows of unknown outcome' 'cancel	Cancel rows that were not sent' 'report	Report what became of every row' 'remaining	Print the rows that were not paid, as a new file' 'take-back	Open rows again that were handed on' 'forget	Remove the names and accounts of runs that are over' 'work	Take part in approved runs, with other machines'
        case 'approver'
            printf '%s\n' 'create	Make a key that signs approvals' 'list	List the keys of this machine' 'export	Print the public line of a key'
        case 'books'
            printf '%s\n' 'sync	Copy what is new, and what was not final' 'status	Show how far the books are' 'forget	Remove records from the books'
        case 'recipient'
            printf '%s\n' 'list	List recipients of all transactions' 'show	Show a recipient: what happened, and what can be done' 'triage	List payouts that need someone, by who must act' 'edit	Correct a recipient; the next try uses the new details' 'cancel	Cancel payouts to recipients' 'proofs	List or download the files that prove a payout'
        case 'sender'
            printf '%s\n' 'find	Find a sender by external id' 'show	Show a sender' 'create	Create a sender' 'list	List senders' 'edit	Change a sender' 'disable	Disable a sender'
        case 'payout-method'
            printf '%s\n' 'list	List stored payout methods' 'show	Show a stored payout method' 'create	Store a payout method' 'edit	Change the details of a stored payout method' 'disable	Disable a stored payout method'
        case 'payin-method'
            printf '%s\n' 'show	Show how a collection is paid' 'edit	Give a one-time code, or change a detail' 'cancel	Cancel a collection' 'retry	Try a failed collection again'
        case 'document'
            printf '%s\n' 'list	List uploaded documents' 'show	Show a document' 'create	Upload a document'
        case 'mandate'
            printf '%s\n' 'show	Show a mandate of this calendar year'
        case 'reports'
            printf '%s\n' 'list	List the service\'s own monthly reports' 'download	Download a report as a CSV file'
        case 'logs'
            printf '%s\n' 'api	List requests that the service received' 'webhooks	List webhook deliveries that the service tried' 'show	Show a whole log record' 'tail	Print new log records as they come'
        case 'webhooks'
            printf '%s\n' 'listen	Receive, verify, store and hand on webhooks' 'verify	Check the signature of a delivery; name the cause if it fails' 'sign	Make a signed delivery' 'send	Sign a delivery and post it to a handler' 'test-handler	Test your own handler against the rules of the service' 'list	List registered endpoints' 'add	Register an endpoint' 'remove	Remove an endpoint' 'events	List deliveries that were received' 'show	Show a received delivery' 'replay	Hand deliveries on again' 'backfill	Fetch missed deliveries from the log of the service' 'prune	Delete old deliveries from the inbox'
        case 'check'
            printf '%s\n' 'onboarding	Judge from the logs what the service demands before production' 'polling	Count reads a day against the limits of the service'
        case 'sandbox'
            printf '%s\n' 'start	Run a sandbox on this machine until Ctrl-C' 'exec	Run a command with its own sandbox' 'env	Print the account of a running sandbox, for a shell' 'scenario	Run a table of steps and expectations' 'clock	Show, move, run or stop the clock' 'payout	Decide the payouts of a funded transaction' 'payin	Decide the payin of a collection' 'balance	Top up a balance' 'approve	Let a sender transact' 'reject	Refuse a sender' 'ban	Bar a sender, or lift the ban' 'review	Set the compliance decision' 'refund	Refund a cancelled collection' 'mandate	Set the status of a mandate' 'fail	Arm a fault: make calls, deliveries or payouts fail' 'faults	List faults that are armed, or that fired' 'settings	Show or change the settings of the account' 'state	Show counts, ledger, settings and what is due next' 'explain	List each change of a transaction or recipient, with its rule' 'assumptions	List what the sandbox assumes about the service' 'seed	Fill the account with samples' 'snapshot	Save all data to a file' 'restore	Restore a snapshot' 'reset	Delete all data'
    end
end

function __remit_flags
    switch "$argv[1]"
        case 'demo'
            printf '%s\n' '--break-rule	break one rule of the sandbox on purpose, and see the demo notice'
        case 'login'
            printf '%s\n' '--base-url	where the service is; ends in /v1' '--environment	sandbox or production; without it this machine is a sandbox, and everything else is production' '--key	the API key' '--secret-stdin	read the secret from standard input' '--secret-file	read the secret from a file' '--secret-env	read the secret from this environment variable' '--send-secret	use the scheme that sends the secret itself: TLS or this machine only' '--ca-file	trust these certificate authorities (PEM)' '--no-keychain	keep the secret in a file that only you can read' '--no-check	keep it without asking the service' '--same-account	the new key takes the place of the one that the profile has' '--another-account	the new key is of another account than the one that the profile has' '--default	make it the default profile' '--read-only	refuse every write with this profile' '--max-amount	refuse payments above these, and in other currencies: EUR=5000,GBP=4000'
        case 'profiles'
            printf '%s\n' '--key	the API key' '--secret-stdin	read the secret from standard input' '--secret-file	read the secret from a file' '--secret-env	read the secret from this environment variable' '--fingerprint	the fingerprint of an approver’s key, as its owner told it; may be repeated'
        case 'tx create'
            printf '%s\n' '--file	the transaction as JSON or YAML; - reads standard input' '--from	copy an earlier transaction (id or external id), all but its external id' '--input-currency	currency you pay in' '--amount	amount, in --currency' '--currency	currency of the amount: yours, the recipient’s, or a third' '--type	payout type, such as NGN::Bank' '--recipient-type	person (the default) or business' '--detail	one payout detail, such as bank_code=044; repeat it' '--payin	collect the money from the sender this way, such as GHS::Mobile' '--payin-flow	how the sender is asked to pay, such as ussd_popup; not needed if there is only one' '--payin-detail	one detail of the payin, such as phone_number=+233302123400; repeat it' '--sender	the sender’s id or external id' '--sender-field	one member of the sender; repeat it' '--external-id	your reference for this payment; remit makes one if you give none' '--metadata	a note of your own to keep with it, such as invoice=2024-17, or a JSON object; repeat it' '--recipient-metadata	a note of your own to keep with the recipient, such as invoice=2024-17, or a JSON object; repeat it' '--payout-metadata	a note of your own to keep with the payout method, such as invoice=2024-17, or a JSON object; repeat it' '--no-auto-refund	keep trying after 24 hours instead of refunding' '--account-validation	have the bank check the name first' '--no-account-validation	do not have the bank check the name, where that is the default' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit' '--fund	pay it from the balance at once' '--max-input	with --fund: do not pay more than this, in the currency you pay in' '--wait	wait until it is paid or needs someone; with --fund, a minute at most' '--timeout	wait this long at most, such as 90s or 5m' '--new-payment	make it although the same was made, or sent and not settled, before' '--dry-run	show the request and the amounts as they will be rounded; sends nothing'
        case 'tx fund'
            printf '%s\n' '--max-input	the most that all of them together may cost' '--wait	wait until it is paid or needs someone, a minute at most' '--timeout	wait this long at most, such as 90s or 5m' '--new-payment	send it even if an earlier try of it is not settled'
        case 'tx cancel'
            printf '%s\n' '--request	also request a cancel where the payout is already with the provider' '--wait	wait until each has its ending, a minute at most' '--timeout	wait this long at most, such as 90s or 5m'
        case 'tx list'
            printf '%s\n' '--external-id	the one with this external id' '--sender	only those of this sender (id or external id)' '--kind	automated or manual' '--state	only in this state; repeat it' '--currency	only paid from this input currency; repeat it' '--amount-from	at least this amount; needs --currency' '--amount-to	at most this amount; needs --currency' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'tx calculate'
            printf '%s\n' '--file	the transaction as JSON or YAML; - reads standard input' '--from	copy an earlier transaction (id or external id), all but its external id' '--input-currency	currency you pay in' '--amount	amount, in --currency' '--currency	currency of the amount: yours, the recipient’s, or a third' '--type	payout type, such as NGN::Bank' '--recipient-type	person (the default) or business' '--detail	one payout detail, such as bank_code=044; repeat it' '--payin	collect the money from the sender this way, such as GHS::Mobile' '--payin-flow	how the sender is asked to pay, such as ussd_popup; not needed if there is only one' '--payin-detail	one detail of the payin, such as phone_number=+233302123400; repeat it' '--sender	the sender’s id or external id' '--sender-field	one member of the sender; repeat it' '--external-id	your reference for this payment; remit makes one if you give none' '--metadata	a note of your own to keep with it, such as invoice=2024-17, or a JSON object; repeat it' '--recipient-metadata	a note of your own to keep with the recipient, such as invoice=2024-17, or a JSON object; repeat it' '--payout-metadata	a note of your own to keep with the payout method, such as invoice=2024-17, or a JSON object; repeat it' '--no-auto-refund	keep trying after 24 hours instead of refunding' '--account-validation	have the bank check the name first' '--no-account-validation	do not have the bank check the name, where that is the default' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit'
        case 'tx validate'
            printf '%s\n' '--file	the transaction as JSON or YAML; - reads standard input' '--from	copy an earlier transaction (id or external id), all but its external id' '--input-currency	currency you pay in' '--amount	amount, in --currency' '--currency	currency of the amount: yours, the recipient’s, or a third' '--type	payout type, such as NGN::Bank' '--recipient-type	person (the default) or business' '--detail	one payout detail, such as bank_code=044; repeat it' '--payin	collect the money from the sender this way, such as GHS::Mobile' '--payin-flow	how the sender is asked to pay, such as ussd_popup; not needed if there is only one' '--payin-detail	one detail of the payin, such as phone_number=+233302123400; repeat it' '--sender	the sender’s id or external id' '--sender-field	one member of the sender; repeat it' '--external-id	your reference for this payment; remit makes one if you give none' '--metadata	a note of your own to keep with it, such as invoice=2024-17, or a JSON object; repeat it' '--recipient-metadata	a note of your own to keep with the recipient, such as invoice=2024-17, or a JSON object; repeat it' '--payout-metadata	a note of your own to keep with the payout method, such as invoice=2024-17, or a JSON object; repeat it' '--no-auto-refund	keep trying after 24 hours instead of refunding' '--account-validation	have the bank check the name first' '--no-account-validation	do not have the bank check the name, where that is the default' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit'
        case 'tx watch'
            printf '%s\n' '--until	end with 0 when it is in this state' '--timeout	at most this long, such as 90s or 2h; no end if you do not say'
        case 'recipient list'
            printf '%s\n' '--tx	only those of this transaction (id or external id)' '--state	only in this state; repeat it' '--type	only paid out by this type, such as NGN::Bank; repeat it' '--name	only with this in their name' '--reason	only with this reason code, such as 416; repeat it' '--category	only with a reason of this category, such as recipient_error; repeat it' '--currency	only paid from this input currency; repeat it' '--amount-from	at least this amount; needs --currency' '--amount-to	at most this amount; needs --currency' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'recipient show'
            printf '%s\n' '--tx	its transaction (id or external id), if remit has not seen the recipient yet' '--timeline	show the history: states, events, and what you asked for' '--all	with --timeline: read the logs of the service to their ends'
        case 'recipient triage'
            printf '%s\n' '--state	only in this state; repeat it' '--currency	only paid from this input currency; repeat it' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--pending-after	leave out payouts that are pending for less; 1h if you do not say' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'recipient edit'
            printf '%s\n' '--detail	one payout detail to change, such as bank_account=0123456789; repeat it' '--tx	its transaction (id or external id), if remit has not seen the recipient yet' '--skip-validation	do not ask the provider about the new account' '--name-as-given	use the account though the bank knows it under another name' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit' '--new-payment	send it even if an earlier try of it is not settled'
        case 'recipient cancel'
            printf '%s\n' '--tx	its transaction (id or external id), if remit has not seen the recipient yet' '--request	also request a cancel where the payout is already with the provider' '--wait	wait until each has its ending, a minute at most' '--timeout	wait this long at most, such as 90s or 5m'
        case 'recipient proofs'
            printf '%s\n' '--tx	its transaction (id or external id), if remit has not seen the recipient yet' '--download	write the files into this folder'
        case 'batch template'
            printf '%s\n' '--choices	write the choices of all fields to this new file, as CSV'
        case 'batch check'
            printf '%s\n' '--format	what the file is, where its name does not say it' '--map	the file has this column under another name, such as bank_account=Account; repeat it' '--decimal-comma	amounts have a comma for their decimals: 1250,50' '--type	the payout type of rows that name none, such as NGN::Bank' '--currency	the currency of amounts where rows name none' '--input-currency	the currency you pay in, where rows name none' '--sender	the sender’s id or external id, where rows name none' '--recipient-type	person or business, where rows do not say it' '--allow-duplicates	take several payments of one amount to one account' '--pay-now	take a pain.001 that asks to be paid on a later day (ReqdExctnDt)' '--check-accounts	ask the bank about each account, where it can be asked' '--accounts-as-written	take rows whose account looks wrong: exactly so many' '--offline	ask the service for nothing: senders are not looked up'
        case 'batch plan'
            printf '%s\n' '--name	what the run is called, such as wages-2026-11' '--max-input	the most that the run may cost, such as EUR=12000; several currencies with a comma' '--rate-tolerance	how far a rate may move from the plan before the run pauses, 0.5 unless told' '--repeat	pay rows of this run again, though it was planned a few days ago' '--accept-paid-before	go on without rows that were paid before this run: exactly so many' '--offline	do not ask the service which rows are paid already' '--format	what the file is, where its name does not say it' '--map	the file has this column under another name, such as bank_account=Account; repeat it' '--decimal-comma	amounts have a comma for their decimals: 1250,50' '--type	the payout type of rows that name none, such as NGN::Bank' '--currency	the currency of amounts where rows name none' '--input-currency	the currency you pay in, where rows name none' '--sender	the sender’s id or external id, where rows name none' '--recipient-type	person or business, where rows do not say it' '--allow-duplicates	take several payments of one amount to one account' '--pay-now	take a pain.001 that asks to be paid on a later day (ReqdExctnDt)' '--check-accounts	ask the bank about each account, where it can be asked' '--accounts-as-written	take rows whose account looks wrong: exactly so many' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch approve'
            printf '%s\n' '--digest	the digest of the plan, all 32 digits' '--as	the approver who signs, where this machine has several' '--until	how long the signature holds; a day counts to its end' '--reject	say no: the run is not paid before it is approved again' '--because	why it is rejected' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch run'
            printf '%s\n' '--in-flight	payments on their way at once, 16 unless told' '--per-second	payments begun in a second at most' '--rate-tolerance	how far a rate may move from the plan before the run pauses, 0.5 unless told' '--accept-paid-before	go on without rows that were paid before this run: exactly so many' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch watch'
            printf '%s\n' '--timeout	watch this long at most, such as 30m' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch status'
            printf '%s\n' '--update	ask the service first what became of the rows' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch list'
            printf '%s\n' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch rows'
            printf '%s\n' '--state	rows in this state; may be given several times' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch show'
            printf '%s\n' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch settle'
            printf '%s\n' '--rows	the keys of the rows that --not-paid is about, with commas between' '--not-paid	say that these rows were not paid, after you asked the operator' '--because	why you say so, for the journal' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch cancel'
            printf '%s\n' '--rows	the keys of rows, with commas between; left out, all that were not sent' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch report'
            printf '%s\n' '--pain002	print it as ISO 20022 pain.002.001.10, in XML' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch remaining'
            printf '%s\n' '--refunded	rows too whose payment was refunded or cancelled' '--hand-on	write the rows to this file, and never send them by this run' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch take-back'
            printf '%s\n' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch forget'
            printf '%s\n' '--before	runs that were changed last before then: 2026-11-21, 2026-10, or an age such as 90d; in UTC' '--conflicts	runs too with rows whose external id another payment has' '--dry-run	say what would be forgotten, and change nothing' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'batch work'
            printf '%s\n' '--in-flight	payments on their way at once, 16 unless told' '--per-second	payments begun in a second at most' '--lease	how long others wait for a worker that does not answer, 30s unless told' '--once	end when no approved run has rows left to send' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'approver create'
            printf '%s\n' '--no-keychain	keep the key in a file with a passphrase'
        case 'books sync'
            printf '%s\n' '--check	compare with the service instead, record by record' '--all	read every page again' '--no-names	begin books that keep hashes in place of names and accounts' '--per-minute	calls a minute at most (120; on a sandbox as many as it takes)' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'books status'
            printf '%s\n' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'books forget'
            printf '%s\n' '--before	created longer ago than that, such as 2y or 90d' '--all	every record' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'statement'
            printf '%s\n' '--currency	only this balance' '--month	such as 2026-10; this month if you say no time' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--from-first-seen	begin where each balance was first seen, if that is later' '--totals	what the lines come to, a row for each balance' '--camt053	print it as ISO 20022 camt.053.001.08, in XML' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'summary'
            printf '%s\n' '--by	what to count by; the corridor if you do not say' '--month	such as 2026-10; this month if you say no time' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--svg	write a picture of it to a new file' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'search'
            printf '%s\n' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'sender create'
            printf '%s\n' '--file	the members as JSON or YAML; - reads standard input' '--type	person (the default) or business' '--external-id	external id' '--first-name	first name' '--last-name	last name' '--name	name' '--country	country' '--email	email' '--phone-number	phone number' '--ip	ip' '--field	any other member, such as birth_date=1990-01-31; repeat it' '--document	a proof of identity that is sent with it, such as passport=front.jpg; repeat it'
        case 'sender list'
            printf '%s\n' '--external-id	the one with this external id' '--state	only in this state; repeat it' '--name	only with this in their name' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'sender edit'
            printf '%s\n' '--file	the members as JSON or YAML; - reads standard input' '--type	person (the default) or business' '--external-id	external id' '--first-name	first name' '--last-name	last name' '--name	name' '--country	country' '--email	email' '--phone-number	phone number' '--ip	ip' '--set	any other member, such as city=Porto; repeat it'
        case 'reconcile'
            printf '%s\n' '--against	service, books (the copy on this machine), reports (those that the service makes each month), or the file of a bank’s statement (camt.052, camt.053, camt.054, MT940, MT942); repeat it; the service if you do not say' '--month	such as 2026-10; if you do not say, the days of the ledger' '--days	so many days may lie between the dates of a payment that is matched by its reference; 3 if you do not say' '--by	the ledger has what payouts cost (input), or what was asked for (requested); input if you do not say' '--map	the ledger has this column under another name, such as external_id=Voucher; repeat it' '--decimal-comma	amounts have a comma for their decimals: 1250,50' '--currency	the currency of rows that name none, in the ledger and in a bank’s statement' '--sums	what to do with a statement whose sums are wrong or missing: refuse it, or read it and say what is wrong (warn); refuse if you do not say' '--payments	which amounts of the ledger are payments, where it has both signs, or debits and credits' '--dates	dates such as 03/10/2026 begin with the day (dmy) or with the month (mdy)' '--ending	only rows that end so; repeat it; if you do not say, the differences' '--totals	list the totals of both sides by currency and ending instead' '--exceptions	write the differences to a new CSV file, to be decided in it' '--decisions	read decisions from such a file: what is accepted is no difference; on a terminal, pairs that perhaps go together are asked about, and accepted ones are added to it' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches' '--store	a PostgreSQL that several machines share, postgres://user@host/database (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'balance'
            printf '%s\n' '--min	end with 10 if the balance is below this: GHS=50000,NGN=1000000, or an amount of CURRENCY' '--partner	also show the balances that you hold at a provider' '--watch	look at intervals until Ctrl-C: a terminal is redrawn, elsewhere each change is printed' '--count	with --watch: end after this many looks' '--timeout	with --watch: end after this time'
        case 'validate-account'
            printf '%s\n' '--type	stands for country, currency and method: NGN::Bank, GHS::Bank, GHS::Mobile, UGX::Mobile' '--country	two letters' '--currency	three letters' '--method	bank or mobile' '--bank-code	the bank' '--bank-account	the account number' '--iban	the account in IBAN or BBAN form, where the market uses it' '--phone-number	in international form, such as +233302123400' '--mobile-provider	such as mtn' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit'
        case 'rates'
            printf '%s\n' '--sender	as this sender gets it (id or external id)'
        case 'currencies'
            printf '%s\n' '--in	those that can be paid in, each with what it can become' '--out	those that can be paid out, each with what it can come from' '--sender	as this sender may use them (id or external id)'
        case 'methods'
            printf '%s\n' '--in	only payin methods' '--out	only payout methods'
        case 'payout-method list'
            printf '%s\n' '--state	only in this state; repeat it' '--type	only of this type, such as NGN::Bank; repeat it' '--sender	only those of this sender (id or external id)' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'payout-method create'
            printf '%s\n' '--file	the payout method as JSON or YAML; - reads standard input' '--type	such as NGN::Bank' '--detail	one detail, such as bank_code=044; repeat it' '--metadata	a note of your own to keep with it, such as invoice=2024-17, or a JSON object; repeat it' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit'
        case 'payout-method edit'
            printf '%s\n' '--detail	one detail to change, such as bank_account=0123456789; repeat it' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit' '--new-payment	send it even if an earlier try of it is not settled'
        case 'payin-method edit'
            printf '%s\n' '--otp	the one-time code that the customer received' '--detail	one detail to change, such as phone_number=+233302123400; repeat it' '--account-as-written	use the account though it looks wrong: a letter among digits, a length or check digits that do not fit' '--new-payment	send it even if an earlier try of it is not settled'
        case 'payin-method retry'
            printf '%s\n' '--new-payment	send it even if an earlier try of it is not settled'
        case 'document list'
            printf '%s\n' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'document create'
            printf '%s\n' '--file	the file to upload' '--url	in place of a file: the URL of the document' '--name	the file name to keep; its own if you do not say' '--type	what it is, such as passport' '--side	front or back' '--number	the number of the document' '--expiry	when it expires, YYYY-MM-DD' '--metadata	a note of your own to keep with it, such as invoice=2024-17, or a JSON object; repeat it'
        case 'reports list'
            printf '%s\n' '--type	only of this type' '--environment	only of this environment' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'reports download'
            printf '%s\n' '--month	in place of PATH: the report of this month, such as 2026-10' '--type	only of this type' '--environment	only of this environment' '--to	write it into this folder, or to this file; - prints it' '--force	replace a file that exists'
        case 'logs api'
            printf '%s\n' '--request	the request id that an error message named' '--status	only answers with this status, such as 422 or 4xx' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'logs webhooks'
            printf '%s\n' '--event	only this event, such as recipient.error' '--failed	only deliveries that your endpoint did not accept' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'logs tail'
            printf '%s\n' '--webhooks	show webhook deliveries in place of requests' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--count	end after this many'
        case 'webhooks listen'
            printf '%s\n' '--host	where to listen; 127.0.0.1 if you do not say' '--port	a free one if you do not say' '--path	answer this path only, such as /hooks' '--tls-cert	listen with TLS: the certificate, in PEM' '--tls-key	and its key' '--allow-from	take deliveries from this address or range only, such as 203.0.113.0/24; repeat it' '--trust-proxy	trust X-Forwarded-For, -Proto and -Host of a proxy in front' '--public-url	the registered URL, where a tunnel or proxy is in front (or REMIT_PUBLIC_URL)' '--max-body	answer 413 to larger ones; 1048576 if you do not say' '--events	hand on only these, separated by commas; all are stored' '--filter	hand on only if this JMESPath expression over the body is true' '--register	register in production too; needs --public-url' '--no-register	do not register: only listen' '--forward-to	hand each delivery on, byte for byte with its headers' '--resign	with --forward-to: sign it again, for that URL' '--forward-invalid	with --forward-to: also hand on what does not verify, once and marked' '--exec	run this for each delivery, its body on standard input; no shell' '--exec-timeout	stop it after this many seconds; 60 if you do not say' '--attempts	give up after this many attempts; 8 if you do not say, over an hour and a half' '--also-profile	accept the key and secret of this profile too; repeat it' '--secret-file	accept these secrets of the key too, one a line, while they are being rotated' '--no-catch-up	do not compare with the log of the service at the start' '--ready-file	write the address to this file once it listens' '--count	end after this many new deliveries' '--books	bring the books up to date with each delivery (remit books sync makes them)' '--store	a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'webhooks verify'
            printf '%s\n' '--delivery	a delivery that remit webhooks show --save or sign --save wrote' '--url	the URL that was registered (or that of the file, or REMIT_PUBLIC_URL)' '--body	a file with the raw body; - reads standard input' '--header	a header as it was received, "Authorization-Nonce: …"; repeat it' '--headers-file	all headers as a JSON object' '--test-key	check with the test key that remit webhooks sign and send use' '--key	check with this key, without a profile' '--secret-file	the secret of --key, from a file' '--secret-env	the secret of --key, from this environment variable' '--explain	try every cause, other profiles too, and list what was tried' '--remote	with --explain: try the URLs that are registered with the service' '--store	a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'webhooks sign'
            printf '%s\n' '--event	which event, such as transaction.paid_out' '--tx	about this transaction (id or external id), as the service has it now' '--data	the object, or the whole body, from this file; - reads standard input' '--url	the URL that is signed: where your handler is registered' '--as-profile	sign with the profile’s key and secret; in production also --live, and it asks' '--save	write it to a file that only you can read, for verify --delivery'
        case 'webhooks send'
            printf '%s\n' '--to	where your handler is' '--event	which event, such as transaction.paid_out' '--tx	about this transaction (id or external id), as the service has it now' '--data	the object, or the whole body, from this file; - reads standard input' '--url	sign for this URL, where your handler is registered under another' '--times	this many times, one after the other, each with its own nonce' '--nonce	use this nonce each time: a replay, from the second on' '--bad-signature	with a wrong signature: a handler that answers 2xx has a fault' '--timeout	wait so long for an answer: 10s, as the service does' '--as-profile	sign with the profile’s key and secret; in production also --live, and it asks'
        case 'webhooks test-handler'
            printf '%s\n' '--to	where your handler is' '--url	sign for this URL, where your handler is registered under another' '--event	what the deliveries are about: recipient.error' '--only	this case alone; repeat it' '--counter	answers how many events your handler acted on: then acting on a copy is a fail too' '--list	print the cases, and send nothing' '--timeout	wait so long for an answer: 10s, as the service does' '--as-profile	sign with the profile’s key and secret; in production also --live, and it asks'
        case 'webhooks list'
            printf '%s\n' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches'
        case 'webhooks add'
            printf '%s\n' '--event	only this event; repeat it; all if you name none'
        case 'webhooks events'
            printf '%s\n' '--event	only this event, such as recipient.error' '--state	only in this state' '--since	received since then: a day, a time, or an age: 2026-11-21, 2h, 3d' '--tx	only of this transaction: its id or external id' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	everything that matches' '--names	the names of all events, and what they mean' '--remote	with --names: ask the service for its list' '--store	a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'webhooks show'
            printf '%s\n' '--save	write it whole to this file, for remit webhooks verify --delivery' '--raw	print the body, byte for byte, and nothing else' '--store	a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'webhooks replay'
            printf '%s\n' '--event	only this event, such as recipient.error' '--state	only in this state' '--since	received since then: a day, a time, or an age: 2026-11-21, 2h, 3d' '--tx	only of this transaction: its id or external id' '--to	send them there now, byte for byte, once each' '--store	a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'webhooks backfill'
            printf '%s\n' '--since	a day, a time, or an age: 2026-11-21, 2h, 3d; if you do not say, the last comparison, or a day ago' '--public-url	the registered URL (or REMIT_PUBLIC_URL)' '--webhook	this endpoint only' '--no-hand-on	store what was missed, and do not hand it on' '--store	a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'webhooks prune'
            printf '%s\n' '--older-than	such as 30d or 12h' '--dead-letters	delete dead letters too (those that were given up)' '--forget-nonces	forget their nonces too' '--store	a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)' '--store-password-file	the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt'
        case 'check onboarding'
            printf '%s\n' '--since	read the logs from then on: a day, a time, or an age (3d); if you do not say, 7d'
        case 'check polling'
            printf '%s\n' '--since	read the logs from then on: a day, a time, or an age (3d); if you do not say, 7d'
        case 'sandbox start'
            printf '%s\n' '--port	4010 if you do not say, a free one where that is taken; 0 takes a free one' '--data	keep everything in this file, key and secret included, and go on from there at the next start' '--seed	the same seed and the same requests give the same ids; for new data only' '--clock	running (the default), or standing: time moves only when told' '--host	listen on another address than 127.0.0.1; one beyond this machine needs --allow-remote' '--allow-remote	let other machines in: whoever reaches the port and has the key can do what you can' '--deliver-to	also deliver webhooks to this host; this machine is always allowed; repeat it'
        case 'sandbox exec'
            printf '%s\n' '--webhook	register this endpoint, or http://127.0.0.1:PORT/ for a port, for every event' '--seed	the same seed and the same requests give the same ids; 1 if you do not say' '--run	let time run' '--deliver-to	also deliver webhooks to this host; this machine is always allowed; repeat it'
        case 'sandbox env'
            printf '%s\n' '--shell	the one that $SHELL names if you do not say'
        case 'sandbox scenario'
            printf '%s\n' '--list	list those that come with remit' '--show	print one of them, to begin your own with'
        case 'sandbox payout'
            printf '%s\n' '--outcome	what the provider answers' '--code	the code that the provider answers, such as 416' '--recipient	which recipient, from 1; all open ones if you do not say'
        case 'sandbox payin'
            printf '%s\n' '--type	the payin type; that of the collection if you do not say' '--amount	what the customer paid, in the input currency' '--outcome	what becomes of it instead' '--code	it fails with this code, such as 412'
        case 'sandbox approve'
            printf '%s\n' '--reason	the state_reason to give'
        case 'sandbox reject'
            printf '%s\n' '--reason	the state_reason to give'
        case 'sandbox ban'
            printf '%s\n' '--reason	the state_reason to give' '--lift	lift the ban'
        case 'sandbox fail'
            printf '%s\n' '--next	how many times; 1 if you do not say' '--always	until it is disarmed' '--operation	only this operation, such as transactions.create_and_fund' '--corridor	only payouts of this type, such as NGN::Bank' '--event	only deliveries of this event' '--webhook	only deliveries to this endpoint' '--delay	for slow and webhook-delayed, such as 5s' '--status	for 5xx: which; 503 if you do not say'
        case 'sandbox faults'
            printf '%s\n' '--fired	list what happened, not what is armed' '--clear	disarm all of them' '--disarm	disarm one, such as f2'
        case 'sandbox seed'
            printf '%s\n' '--rounds	1 if you do not say, at most 100'
        case 'api'
            printf '%s\n' '--raw-field	a field that is a text; repeat it' '--field	a field that is an amount, true or false, as JSON has them; repeat it' '--input	the body from a file, sent exactly as it is; - reads standard input' '--data	the body, sent exactly as given; @FILE reads a file, - standard input' '--param	a query parameter, whatever the method; repeat it' '--paginate	a GET: all pages, one answer after the other' '--include	print status and headers too, on stderr' '--new-payment	send it even if an earlier try of it is not settled' '--dry-run	print the request and the text to sign, and send nothing'
        case 'corridors'
            printf '%s\n' '--business	for a recipient that is a business' '--options	all choices of one field, such as bank_code' '--search	only types, fields or choices with this in their name or label' '--skeleton	a payment to fill in, as YAML with comments (or -o json)' '--sample	the same, filled with made-up values'
        case 'explain'
            printf '%s\n' '--kind	only this kind'
        case 'completion'
            printf '%s\n' '--dry-run	with install: say where it would be written, and write nothing'
        case 'history'
            printf '%s\n' '--state	only with this outcome; repeat it' '--since	from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)' '--until	until then; a day or a month counts to its end' '--all-profiles	of every profile; without this, only of the profile in use' '--command	only of this command, such as "tx fund", or of a group, such as tx' '--limit	at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere' '--all	list: every one; settle: all that are open or unknown' '--look	settle by looking only: send nothing' '--as	say the outcome yourself, after you asked the operator; it is looked for first' '--because	why you say so, for the journal'
    end
    printf '%s\n' '--output	how to print the result: table, text, json, ndjson, csv, yaml' '--fields	only these members, separated by commas' '--query	a JMESPath expression over the result' '--spreadsheet	with -o csv: a file that a spreadsheet opens without losing zeros or digits' '--profile	which profile to use' '--yes	answer yes to every question' '--live	in production without a terminal: profile name, or key:LAST4' '--zone	the time zone of days, and of times on a terminal, such as Europe/Lisbon; that of this machine if you do not say' '--no-input	never prompt, as without a terminal' '--reveal	show accounts, phones and names in full' '--color	auto, always or never' '--no-color	the same as --color never' '--quiet	no notes and no progress: results, what is sent, and errors' '--fresh	ask again: do not use balances and rates that are kept for five minutes' '--request-timeout	give one request up after so long, such as 30s; a write may have been applied then' '--insecure	allow plain HTTP to a host that is not this machine' '--debug	print each request on stderr, without secrets; REMIT_DEBUG=api with its bodies, masked' '--help	show help'
end

function __remit_source
    switch "$argv[1]"
        case 'demo --break-rule'
            echo '=refund_posts_nothing expiry_never edit_ignored'
        case 'login --base-url' 'login --key' 'login --secret-env' 'login --max-amount' 'profiles --key' 'profiles --secret-env' 'profiles --fingerprint' 'tx create --amount' 'tx create --payin-flow' 'tx create --payin-detail' 'tx create --sender-field' 'tx create --external-id' 'tx create --metadata' 'tx create --recipient-metadata' 'tx create --payout-metadata' 'tx create --max-input' 'tx create --timeout' 'tx fund --max-input' 'tx fund --timeout' 'tx cancel --timeout' 'tx list --external-id' 'tx list --amount-from' 'tx list --amount-to' 'tx list --since' 'tx list --until' 'tx list --limit' 'tx calculate --amount' 'tx calculate --payin-flow' 'tx calculate --payin-detail' 'tx calculate --sender-field' 'tx calculate --external-id' 'tx calculate --metadata' 'tx calculate --recipient-metadata' 'tx calculate --payout-metadata' 'tx validate --amount' 'tx validate --payin-flow' 'tx validate --payin-detail' 'tx validate --sender-field' 'tx validate --external-id' 'tx validate --metadata' 'tx validate --recipient-metadata' 'tx validate --payout-metadata' 'tx watch --timeout' 'recipient list --name' 'recipient list --reason' 'recipient list --category' 'recipient list --amount-from' 'recipient list --amount-to' 'recipient list --since' 'recipient list --until' 'recipient list --limit' 'recipient triage --since' 'recipient triage --until' 'recipient triage --pending-after' 'recipient triage --limit' 'recipient cancel --timeout' 'recipient proofs --download' 'batch check --map' 'batch check --accounts-as-written' 'batch plan --name' 'batch plan --max-input' 'batch plan --rate-tolerance' 'batch plan --repeat' 'batch plan --accept-paid-before' 'batch plan --map' 'batch plan --accounts-as-written' 'batch plan --store' 'batch approve --digest' 'batch approve --as' 'batch approve --until' 'batch approve --because' 'batch approve --store' 'batch run --in-flight' 'batch run --per-second' 'batch run --rate-tolerance' 'batch run --accept-paid-before' 'batch run --store' 'batch watch --timeout' 'batch watch --store' 'batch status --store' 'batch list --store' 'batch rows --limit' 'batch rows --store' 'batch show --store' 'batch settle --rows' 'batch settle --because' 'batch settle --store' 'batch cancel --rows' 'batch cancel --store' 'batch report --store' 'batch remaining --store' 'batch take-back --store' 'batch forget --before' 'batch forget --store' 'batch work --in-flight' 'batch work --per-second' 'batch work --lease' 'batch work --store' 'books sync --per-minute' 'books sync --store' 'books status --store' 'books forget --before' 'books forget --store' 'statement --month' 'statement --since' 'statement --until' 'statement --limit' 'statement --store' 'summary --month' 'summary --since' 'summary --until' 'summary --limit' 'summary --store' 'search --limit' 'search --store' 'sender create --external-id' 'sender create --first-name' 'sender create --last-name' 'sender create --name' 'sender create --country' 'sender create --email' 'sender create --phone-number' 'sender create --ip' 'sender create --field' 'sender create --document' 'sender list --external-id' 'sender list --name' 'sender list --since' 'sender list --until' 'sender list --limit' 'sender edit --external-id' 'sender edit --first-name' 'sender edit --last-name' 'sender edit --name' 'sender edit --country' 'sender edit --email' 'sender edit --phone-number' 'sender edit --ip' 'sender edit --set' 'reconcile --month' 'reconcile --days' 'reconcile --map' 'reconcile --limit' 'reconcile --store' 'balance --min' 'balance --count' 'balance --timeout' 'validate-account --bank-code' 'validate-account --bank-account' 'validate-account --iban' 'validate-account --phone-number' 'validate-account --mobile-provider' 'payout-method list --since' 'payout-method list --until' 'payout-method list --limit' 'payout-method create --metadata' 'payin-method edit --otp' 'document list --limit' 'document create --url' 'document create --name' 'document create --type' 'document create --number' 'document create --expiry' 'document create --metadata' 'reports list --limit' 'reports download --month' 'logs api --request' 'logs api --status' 'logs api --since' 'logs api --until' 'logs api --limit' 'logs webhooks --since' 'logs webhooks --until' 'logs webhooks --limit' 'logs tail --since' 'logs tail --count' 'webhooks listen --host' 'webhooks listen --port' 'webhooks listen --allow-from' 'webhooks listen --public-url' 'webhooks listen --max-body' 'webhooks listen --events' 'webhooks listen --filter' 'webhooks listen --forward-to' 'webhooks listen --exec' 'webhooks listen --exec-timeout' 'webhooks listen --attempts' 'webhooks listen --also-profile' 'webhooks listen --count' 'webhooks listen --store' 'webhooks verify --url' 'webhooks verify --header' 'webhooks verify --key' 'webhooks verify --secret-env' 'webhooks verify --store' 'webhooks sign --url' 'webhooks send --to' 'webhooks send --url' 'webhooks send --times' 'webhooks send --nonce' 'webhooks send --timeout' 'webhooks test-handler --to' 'webhooks test-handler --url' 'webhooks test-handler --only' 'webhooks test-handler --counter' 'webhooks test-handler --timeout' 'webhooks list --limit' 'webhooks events --since' 'webhooks events --limit' 'webhooks events --store' 'webhooks show --store' 'webhooks replay --since' 'webhooks replay --to' 'webhooks replay --store' 'webhooks backfill --since' 'webhooks backfill --public-url' 'webhooks backfill --webhook' 'webhooks backfill --store' 'webhooks prune --older-than' 'webhooks prune --store' 'check onboarding --since' 'check polling --since' 'sandbox start --port' 'sandbox start --seed' 'sandbox start --host' 'sandbox start --deliver-to' 'sandbox exec --webhook' 'sandbox exec --seed' 'sandbox exec --deliver-to' 'sandbox payout --recipient' 'sandbox payin --amount' 'sandbox approve --reason' 'sandbox reject --reason' 'sandbox ban --reason' 'sandbox fail --next' 'sandbox fail --webhook' 'sandbox fail --delay' 'sandbox fail --status' 'sandbox faults --disarm' 'sandbox seed --rounds' 'corridors --options' 'corridors --search' 'history --since' 'history --until' 'history --command' 'history --limit' 'history --because' '* --fields' '* --query' '* --zone' '* --request-timeout' 'demo 1' 'logout 1' 'profiles 2' 'profiles 3' 'profiles 4' 'profiles 5' 'profiles 6' 'profiles 7' 'profiles 8' 'profiles 9' 'batch show 2' 'approver create 1' 'approver export 1' 'search 1' 'search 2' 'search 3' 'search 4' 'search 5' 'search 6' 'search 7' 'search 8' 'search 9' 'rates 3' 'payout-method show 1' 'payout-method edit 1' 'payout-method disable 1' 'document show 1' 'reports download 1' 'logs show 1' 'webhooks verify 1' 'webhooks add 1' 'webhooks remove 1' 'webhooks show 1' 'webhooks replay 1' 'webhooks replay 2' 'webhooks replay 3' 'webhooks replay 4' 'webhooks replay 5' 'webhooks replay 6' 'webhooks replay 7' 'webhooks replay 8' 'webhooks replay 9' 'sandbox clock 2' 'sandbox balance 2' 'sandbox settings 1' 'sandbox settings 2' 'sandbox settings 3' 'sandbox settings 4' 'sandbox settings 5' 'sandbox settings 6' 'sandbox settings 7' 'sandbox settings 8' 'sandbox settings 9' 'sandbox assumptions 1' 'api 2' 'api 3' 'api 4' 'api 5' 'api 6' 'api 7' 'api 8' 'api 9' 'completion 2' 'help 1' 'help 2' 'help 3' 'help 4' 'help 5' 'help 6' 'help 7' 'help 8' 'help 9' 'history 2'
            echo 'any'
        case 'login --environment'
            echo '=sandbox production'
        case 'login --secret-file' 'login --ca-file' 'profiles --secret-file' 'tx create --file' 'tx create -f' 'tx calculate --file' 'tx calculate -f' 'tx validate --file' 'tx validate -f' 'batch template --choices' 'batch plan --store-password-file' 'batch approve --store-password-file' 'batch run --store-password-file' 'batch watch --store-password-file' 'batch status --store-password-file' 'batch list --store-password-file' 'batch rows --store-password-file' 'batch show --store-password-file' 'batch settle --store-password-file' 'batch cancel --store-password-file' 'batch report --store-password-file' 'batch remaining --hand-on' 'batch remaining --store-password-file' 'batch take-back --store-password-file' 'batch forget --store-password-file' 'batch work --store-password-file' 'books sync --store-password-file' 'books status --store-password-file' 'books forget --store-password-file' 'statement --store-password-file' 'summary --svg' 'summary --store-password-file' 'search --store-password-file' 'sender create --file' 'sender create -f' 'sender edit --file' 'sender edit -f' 'reconcile --against' 'reconcile --exceptions' 'reconcile --decisions' 'reconcile --store-password-file' 'payout-method create --file' 'payout-method create -f' 'document create --file' 'document create -f' 'reports download --to' 'webhooks listen --path' 'webhooks listen --tls-cert' 'webhooks listen --tls-key' 'webhooks listen --secret-file' 'webhooks listen --ready-file' 'webhooks listen --store-password-file' 'webhooks verify --delivery' 'webhooks verify --body' 'webhooks verify --headers-file' 'webhooks verify --secret-file' 'webhooks verify --store-password-file' 'webhooks sign --data' 'webhooks sign --save' 'webhooks send --data' 'webhooks events --store-password-file' 'webhooks show --save' 'webhooks show --store-password-file' 'webhooks replay --store-password-file' 'webhooks backfill --store-password-file' 'webhooks prune --store-password-file' 'sandbox start --data' 'api --input' 'batch check 1' 'batch plan 1' 'reconcile 1' 'sandbox exec 2' 'sandbox exec 3' 'sandbox exec 4' 'sandbox exec 5' 'sandbox exec 6' 'sandbox exec 7' 'sandbox exec 8' 'sandbox exec 9' 'sandbox snapshot 1' 'sandbox restore 1'
            echo 'file'
        case 'tx create --from' 'tx calculate --from' 'tx validate --from' 'recipient list --tx' 'recipient show --tx' 'recipient edit --tx' 'recipient cancel --tx' 'recipient proofs --tx' 'webhooks sign --tx' 'webhooks send --tx' 'webhooks events --tx' 'webhooks replay --tx' 'tx fund 1' 'tx fund 2' 'tx fund 3' 'tx fund 4' 'tx fund 5' 'tx fund 6' 'tx fund 7' 'tx fund 8' 'tx fund 9' 'tx cancel 1' 'tx show 1' 'tx watch 1' 'payin-method show 1' 'payin-method edit 1' 'payin-method cancel 1' 'payin-method retry 1' 'sandbox payout 1' 'sandbox payin 1' 'sandbox review 1' 'sandbox refund 1'
            echo '@transaction'
        case 'tx create --input-currency' 'tx create --currency' 'tx list --currency' 'tx calculate --input-currency' 'tx calculate --currency' 'tx validate --input-currency' 'tx validate --currency' 'recipient list --currency' 'recipient triage --currency' 'batch check --currency' 'batch check --input-currency' 'batch plan --currency' 'batch plan --input-currency' 'statement --currency' 'reconcile --currency' 'balance 1' 'rates 1' 'rates 2' 'sandbox balance 1'
            echo '+currencies'
        case 'tx create --type' 'tx calculate --type' 'tx validate --type' 'recipient list --type' 'batch check --type' 'batch plan --type' 'validate-account --type' 'payout-method list --type' 'payout-method create --type' 'sandbox fail --corridor' 'batch template 1' 'batch template 2' 'batch template 3' 'batch template 4' 'batch template 5' 'batch template 6' 'batch template 7' 'batch template 8' 'batch template 9' 'methods 1' 'corridors 1'
            echo '+payouts'
        case 'tx create --recipient-type' 'tx calculate --recipient-type' 'tx validate --recipient-type' 'batch check --recipient-type' 'batch plan --recipient-type' 'sender create --type' 'sender edit --type'
            echo '=person business'
        case 'tx create --detail' 'tx calculate --detail' 'tx validate --detail' 'recipient edit --detail' 'payout-method create --detail' 'payout-method edit --detail' 'payin-method edit --detail'
            echo '+details'
        case 'tx create --payin' 'tx calculate --payin' 'tx validate --payin'
            echo '+payins'
        case 'tx create --sender' 'tx list --sender' 'tx calculate --sender' 'tx validate --sender' 'batch check --sender' 'batch plan --sender' 'rates --sender' 'currencies --sender' 'payout-method list --sender' 'sender find 1' 'sender show 1' 'sender edit 1' 'sender disable 1' 'sandbox approve 1' 'sandbox reject 1' 'sandbox ban 1'
            echo '@sender'
        case 'tx list --kind'
            echo '=automated manual'
        case 'tx list --state' 'tx watch --until'
            echo '=initial approved pending processing received mispaid manual paid canceled refunded exception'
        case 'recipient list --state'
            echo '=initial pending success error refunded manual stuck overpaid canceled exception'
        case 'recipient triage --state'
            echo '=error manual stuck overpaid exception pending'
        case 'batch check --format' 'batch plan --format'
            echo '=csv ndjson json yaml xml'
        case 'batch rows --state'
            echo '=planned sending created paid in_error refunded cancelled refused conflict handed_on unknown'
        case 'summary --by'
            echo '=corridor currency day month state sender reason'
        case 'sender list --state'
            echo '=initial incomplete verified approved banned rejected disabled'
        case 'reconcile --by'
            echo '=input requested'
        case 'reconcile --sums'
            echo '=refuse warn'
        case 'reconcile --payments'
            echo '=plus minus debit credit'
        case 'reconcile --dates'
            echo '=dmy mdy'
        case 'reconcile --ending'
            echo '=matched expected not_funded only_in_ledger only_at_service only_in_statement amount_differs currency_differs state_differs duplicate outside'
        case 'validate-account --country'
            echo '=BF BJ CG CI CM GA GH KE NG SN TD TG UG'
        case 'validate-account --currency'
            echo '=NGN GHS KES XOF UGX XAF'
        case 'validate-account --method'
            echo '=bank mobile'
        case 'payout-method list --state'
            echo '=enabled disabled'
        case 'document create --side'
            echo '=front back'
        case 'reports list --type' 'reports download --type'
            echo '=transaction account'
        case 'reports list --environment' 'reports download --environment'
            echo '=test live'
        case 'logs webhooks --event' 'webhooks sign --event' 'webhooks send --event' 'webhooks test-handler --event' 'webhooks add --event' 'webhooks events --event' 'webhooks replay --event' 'sandbox fail --event'
            echo '+events'
        case 'webhooks events --state' 'webhooks replay --state'
            echo '=kept waiting handed_on dead_letter invalid'
        case 'sandbox start --clock'
            echo '=running standing'
        case 'sandbox env --shell'
            echo '=bash zsh fish powershell'
        case 'sandbox scenario --show'
            echo '+scenarios'
        case 'sandbox payout --outcome'
            echo '=paid pending error stuck overpaid exception manual'
        case 'sandbox payout --code' 'sandbox payin --code'
            echo '+codes'
        case 'sandbox payin --type'
            echo '=GHS::Mobile UGX::Mobile XOF::Mobile NGN::Bank EUR::Bank GBP::Bank BTC'
        case 'sandbox payin --outcome'
            echo '=paid processing error exception'
        case 'sandbox fail --operation'
            echo '+operations'
        case 'api --raw-field' 'api -f' 'api --field' 'api -F' 'api --param'
            echo '+queries'
        case 'api --data' 'api -d'
            echo 'atfile'
        case 'explain --kind'
            echo '=state code category event field'
        case 'history --state'
            echo '=open applied not_applied unknown conflict'
        case 'history --as'
            echo '=applied not-applied'
        case '* --output' '* -o'
            echo '+formats'
        case '* --profile' '* --live' 'profiles use 2' 'profiles set 2'
            echo '@profile'
        case '* --color'
            echo '=auto always never'
        case 'history show 2'
            echo '@intent'
        case 'history settle 2'
            echo '@unsettled'
        case 'profiles set 3' 'profiles set 4' 'profiles set 5' 'profiles set 6' 'profiles set 7' 'profiles set 8' 'profiles set 9'
            echo '+settings'
        case 'completion install 2'
            echo '+shells'
        case 'api recipients.cancel 2' 'api recipients.edit 2' 'api recipients.proofs 2'
            echo '@recipient-id'
        case 'api senders.get 2' 'api senders.disable 2' 'api senders.edit 2'
            echo '@sender-id'
        case 'api transactions.get 2' 'api transactions.payin 2' 'api transactions.payout 2'
            echo '@transaction-id'
        case 'profiles 1'
            echo '+profiles'
        case 'recipient show 1' 'recipient edit 1' 'recipient cancel 1' 'recipient cancel 2' 'recipient cancel 3' 'recipient cancel 4' 'recipient cancel 5' 'recipient cancel 6' 'recipient cancel 7' 'recipient cancel 8' 'recipient cancel 9' 'recipient proofs 1' 'mandate show 1'
            echo '@recipient'
        case 'batch approve 1' 'batch run 1' 'batch watch 1' 'batch status 1' 'batch rows 1' 'batch show 1' 'batch settle 1' 'batch cancel 1' 'batch report 1' 'batch remaining 1' 'batch take-back 1' 'batch forget 1'
            echo '@run'
        case 'sandbox exec 1'
            echo 'program'
        case 'sandbox scenario 1'
            echo '+scenarios file'
        case 'sandbox clock 1'
            echo '+clock'
        case 'sandbox review 2'
            echo '+reviews'
        case 'sandbox mandate 1' 'sandbox explain 1'
            echo '@transaction,recipient'
        case 'sandbox mandate 2'
            echo '+mandates'
        case 'sandbox fail 1'
            echo '+faults'
        case 'api 1'
            echo '+operations +methods'
        case 'explain 1' 'explain 2' 'explain 3' 'explain 4' 'explain 5' 'explain 6' 'explain 7' 'explain 8' 'explain 9'
            echo '+words'
        case 'completion 1'
            echo '+completion'
        case 'history 1'
            echo '+history'
    end
end

function __remit_list
    switch "$argv[1]"
        case 'formats'
            printf '%s\n' 'table' 'text' 'json' 'ndjson' 'csv' 'yaml'
        case 'currencies'
            printf '%s\n' 'AED' 'BRL' 'BTC' 'BWP' 'CAD' 'CHF' 'CNY' 'CRC' 'EGP' 'EUR' 'GBP' 'GHS' 'GNF' 'GTQ' 'INR' 'JPY' 'KES' 'KRW' 'MAD' 'NGN' 'NZD' 'PEN' 'TZS' 'UGX' 'USD' 'VND' 'XAF' 'XOF' 'ZAR' 'ZMW'
        case 'payouts'
            printf '%s\n' 'BRL::Bank	Bank account or PIX key in Brazil' 'BTC	Bitcoin address' 'BWP::Bank	Bank account in Botswana' 'EGP::Bank	Bank account in Egypt' 'EGP::Cash	Cash pickup in Egypt' 'EUR::Bank	Bank account in the SEPA area' 'GBP::Bank	Bank account in the United Kingdom' 'GHS::Bank	Bank account in Ghana' 'GHS::Mobile	Mobile wallet in Ghana' 'GNF::Mobile	Mobile wallet in Guinea' 'KES::Bank	Bank account in Kenya' 'KES::Mobile	Mobile wallet in Kenya' 'MAD::Cash	Cash pickup in Morocco' 'NGN::Bank	Bank account in Nigeria' 'UGX::Bank	Bank account in Uganda' 'UGX::Mobile	Mobile wallet in Uganda' 'USD::Bank	Bank account in dollars in Egypt' 'XAF::Bank	Bank account in five Central African countries' 'XAF::Mobile	Mobile wallet in Cameroon or Gabon' 'XOF::Bank	Bank account in five West African countries' 'XOF::Cash	Cash pickup in Senegal or Ivory Coast' 'XOF::Mobile	Mobile wallet in five West African countries' 'ZAR::Bank	Bank account in South Africa' 'ZMW::Bank	Bank account in Zambia'
        case 'payins'
            printf '%s\n' 'GHS::Mobile' 'UGX::Mobile' 'XOF::Mobile' 'NGN::Bank' 'EUR::Bank' 'GBP::Bank' 'BTC'
        case 'events'
            printf '%s\n' 'document.created	a document was stored' 'document.disabled	a document is no longer used' 'payin_method.canceled	the collection was cancelled; money already sent is refunded' 'payin_method.error	a try to collect failed and no money came in; edit or retry it' 'payin_method.exception	something unexpected happened in the collection; ask the operator' 'payin_method.incomplete	details are missing that only you can give' 'payin_method.mispaid	the sender paid another amount than was asked' 'payin_method.paid_in	the collection succeeded' 'payin_method.pending	the collection started; the sender\'s money is awaited' 'payin_method.processing	money arrived; the provider\'s final word is awaited' 'payin_method.refunded	the sender got the collected money back' 'payout_method.created	a payout method was stored' 'payout_method.disabled	a payout method is no longer used' 'recipient.error	a payout try failed; it is tried again until it succeeds or is cancelled' 'recipient.paid_out	this recipient was paid' 'recipient.pending	the payout is with the provider; for cash it carries the pickup code' 'recipient.refunded	this recipient\'s money was returned' 'sender.approved	the sender may transact' 'sender.created	a sender was stored' 'sender.disabled	the sender was switched off by a delete request' 'sender.rejected	the sender failed the checks' 'transaction.approved	the sender is approved: the transaction can be funded' 'transaction.canceled	a collection was not paid in time' 'transaction.created	a transaction was created' 'transaction.exception	something unexpected happened; ask the operator' 'transaction.mispaid	another amount than asked was collected; the transaction was resized' 'transaction.paid_in	the customer\'s money for a collection arrived' 'transaction.paid_out	every recipient was paid, or the collected money is on the balance' 'transaction.refunded	cancelled after funding, and the money was returned' 'transaction_request.accepted	a request for a transaction was accepted' 'transaction_request.canceled	a request for a transaction was cancelled' 'transaction_request.confirmed	a request for a transaction was confirmed' 'transaction_request.created	a request for a transaction was made' 'transaction_request.expired	a request for a transaction ran out of time' 'transaction_request.modified	a request for a transaction was changed' 'transaction_request.refused	a request for a transaction was refused' 'transaction_request.rejected	a request for a transaction was rejected' 'transaction_request.reset	a request for a transaction was set back'
        case 'operations'
            printf '%s\n' 'accounts.list	Balances, one per currency' 'accounts.get	The balance in one currency' 'debits.create	Fund one or more transactions from a balance' 'account_validations.create	Ask the bank or the mobile operator about an account' 'api_logs.list	Requests that the service received from us' 'api_logs.get	One request with its answer' 'partner_balance.list	Balances held at a provider' 'currencies.list	Currencies usable in requests' 'currencies.in	Input currencies with rates to each output currency' 'currencies.out	Output currencies with rates against each input currency' 'documents.list	Documents that were uploaded' 'documents.create	Upload a document' 'documents.get	One document' 'payment_methods.in	Possible payin methods' 'payment_methods.out	Possible payout methods' 'webhook_logs.list	Webhook deliveries that the service tried' 'webhook_logs.get	One webhook delivery with its answer' 'mandates.get	One mandate of this calendar year' 'payin_methods.get	One payin method of a collection' 'payin_methods.cancel	Ask for the cancellation of a collection' 'payin_methods.edit	Change details of a collection, or give its one-time code' 'payin_methods.retry	Try a failed collection again' 'payout_methods.list	Stored payout methods' 'payout_methods.create	Store a payout method' 'payout_methods.get	One stored payout method' 'payout_methods.disable	Disable a stored payout method' 'payout_methods.edit	Change a stored payout method' 'recipients.list	Recipients of all transactions' 'recipients.cancel	Cancel the payout to one recipient' 'recipients.edit	Correct the details of one recipient' 'recipients.proofs	Proofs that a payout arrived' 'senders.list	Senders, or the one with an external id' 'senders.create	Create a sender' 'senders.get	One sender' 'senders.disable	Disable a sender' 'senders.edit	Change details of a sender' 'transactions.list	Transactions, or the one with an external id' 'transactions.create	Create a transaction, to be funded within an hour' 'transactions.calculate	Amounts and rate of a transaction, without creating it' 'transactions.validate	Check a transaction and the flows open to it, without creating it' 'transactions.create_and_fund	Create a transaction and fund it from the balance at once' 'transactions.get	One transaction with its recipients' 'transactions.payin	Force a collection to succeed' 'transactions.payout	Force the payouts of a funded transaction to succeed' 'webhooks.list	Registered webhook endpoints' 'webhooks.create	Register a webhook endpoint' 'webhooks.get	One registered webhook endpoint' 'webhooks.delete	Remove a webhook endpoint' 'webhooks.events	Names of the events that can be received'
        case 'methods'
            printf '%s\n' 'GET' 'POST' 'PATCH' 'PUT' 'DELETE'
        case 'faults'
            printf '%s\n' 'refused	the connection is closed before the request is read: nothing happened' 'slow	the request is done, and the answer comes late' '5xx	an answer of 5xx, and nothing is done' 'reset-before-commit	the connection breaks before anything is done, and the caller cannot know that' 'response-lost	the request is done, and the connection breaks before the answer' 'webhook-first	the webhooks of a request arrive before its answer does' 'webhook-duplicate	a delivery is made twice, each time with a nonce of its own' 'webhook-reordered	a delivery arrives after the next one to that endpoint' 'webhook-delayed	a delivery is made later' 'webhook-missigned	the signature of a delivery is wrong' 'paid-while-cancelling	the provider pays at the very moment at which the payout is cancelled: the payment wins' 'pending-loop	the payout fails, is tried again at once and is pending again for ten minutes, without end' 'provider-outage	payouts fail for now (code 3), and accounts and names cannot be checked' 'corridor-inactive	new transactions to the corridor are refused: it is not active'
        case 'codes'
            printf '%s\n' '0	the money was paid out' '1	no outcome reported yet' '11	outcome unknown; the provider has not given a status yet' '12	the call to the provider timed out; the status is asked for later' '13	the operator must check this payout by hand' '14	the provider accepted it and the result is awaited' '15	the provider refused the call; a status is still awaited' '16	held at the provider for an anti-money-laundering review' '17	waits until the exchange rate is refreshed' '18	held by compliance: the operator asked you for more information' '2	someone on the receiving side has to act' '21	the cash is ready to be collected' '22	a mandate must be signed before the money can be paid in' '23	a one-time code must be confirmed' '3	the provider takes no payouts at the moment' '31	the national payment switch takes no transfers at the moment' '311	the issuer or the switch is down' '32	the recipient\'s bank takes no transfers at the moment' '321	the recipient\'s bank cannot be reached' '33	the payout could not be set up because its code was taken' '331	the provider does not know this payout' '34	the provider suspects a duplicate; the next try is about a quarter of an hour later' '4	the recipient details were refused, and no reason was given' '41	the recipient details are wrong' '411	the card number is wrong' '412	the mobile number is wrong' '413	the mobile number does not belong to the chosen network' '414	the mobile number has no wallet' '415	the one-time code was wrong or too old' '416	the account number is wrong' '42	a transfer limit was exceeded' '421	the daily transfer limit was exceeded' '422	the bank must approve this transfer first' '423	the account is full' '43	the recipient may not receive money on this account' '431	the account is dormant' '432	the account is in a state that blocks deposits' '433	the recipient did not act in time' '434	the account holds too little money' '44	the name of the account holder differs from the name of the recipient' '45	the amount is not accepted for this payout' '5	the payout cannot be processed' '51	an anti-money-laundering alert was raised' '511	the sender is barred' '52	the sender details were refused' '53	the transaction details were refused' '531	the amount was refused' '54	a cancel was requested from the provider' '541	the receiving side cancelled' '542	the sender cancelled' '543	the provider cancelled'
        case 'words'
            printf '%s\n' 'initial	created, not checked yet' 'pending	the sender\'s money is awaited' 'success	collected' 'error	the collection failed and no money came in' 'refunded	the sender got the money back' 'manual	some payouts need a person to act: look at the recipients' 'stuck	the provider did not answer in time: it is unknown whether it was paid' 'overpaid	more was paid than was asked' 'canceled	cancelled; money that was sent goes back to the sender' 'exception	something unexpected happened in the collection' 'approved	may transact' 'processing	money came in; the final confirmation is awaited' 'received	funded; payouts run, and failed ones are tried again' 'mispaid	collected, but another amount than asked' 'paid	the money was collected' 'incomplete	details or documents are missing' 'verified	passed the sanction lists, not the identity check yet' 'banned	banned by the operator' 'rejected	failed the checks' 'disabled	switched off by a delete request' '0	the money was paid out' '1	no outcome reported yet' '11	outcome unknown; the provider has not given a status yet' '12	the call to the provider timed out; the status is asked for later' '13	the operator must check this payout by hand' '14	the provider accepted it and the result is awaited' '15	the provider refused the call; a status is still awaited' '16	held at the provider for an anti-money-laundering review' '17	waits until the exchange rate is refreshed' '18	held by compliance: the operator asked you for more information' '2	someone on the receiving side has to act' '21	the cash is ready to be collected' '22	a mandate must be signed before the money can be paid in' '23	a one-time code must be confirmed' '3	the provider takes no payouts at the moment' '31	the national payment switch takes no transfers at the moment' '311	the issuer or the switch is down' '32	the recipient\'s bank takes no transfers at the moment' '321	the recipient\'s bank cannot be reached' '33	the payout could not be set up because its code was taken' '331	the provider does not know this payout' '34	the provider suspects a duplicate; the next try is about a quarter of an hour later' '4	the recipient details were refused, and no reason was given' '41	the recipient details are wrong' '411	the card number is wrong' '412	the mobile number is wrong' '413	the mobile number does not belong to the chosen network' '414	the mobile number has no wallet' '415	the one-time code was wrong or too old' '416	the account number is wrong' '42	a transfer limit was exceeded' '421	the daily transfer limit was exceeded' '422	the bank must approve this transfer first' '423	the account is full' '43	the recipient may not receive money on this account' '431	the account is dormant' '432	the account is in a state that blocks deposits' '433	the recipient did not act in time' '434	the account holds too little money' '44	the name of the account holder differs from the name of the recipient' '45	the amount is not accepted for this payout' '5	the payout cannot be processed' '51	an anti-money-laundering alert was raised' '511	the sender is barred' '52	the sender details were refused' '53	the transaction details were refused' '531	the amount was refused' '54	a cancel was requested from the provider' '541	the receiving side cancelled' '542	the sender cancelled' '543	the provider cancelled' 'timeout_error	the call to the provider timed out and the result is open' 'manual_reconciliation_required	an unknown fault: the operator looks into it, then tries again or asks you to cancel' 'recipient_action_required	the recipient has to act: collect the cash, sign the mandate, confirm the code' 'temporary_error	the provider takes no collections at the moment' 'recipient_error	usually permanent: wrong details or a blocked account' 'sender_error	the collection cannot be processed' 'sender_action_required	the sender has to act, for example confirm a code' 'invalid_user_data_error	the sender\'s number or code is wrong' 'document.created	a document was stored' 'document.disabled	a document is no longer used' 'payin_method.canceled	the collection was cancelled; money already sent is refunded' 'payin_method.error	a try to collect failed and no money came in; edit or retry it' 'payin_method.exception	something unexpected happened in the collection; ask the operator' 'payin_method.incomplete	details are missing that only you can give' 'payin_method.mispaid	the sender paid another amount than was asked' 'payin_method.paid_in	the collection succeeded' 'payin_method.pending	the collection started; the sender\'s money is awaited' 'payin_method.processing	money arrived; the provider\'s final word is awaited' 'payin_method.refunded	the sender got the collected money back' 'payout_method.created	a payout method was stored' 'payout_method.disabled	a payout method is no longer used' 'recipient.error	a payout try failed; it is tried again until it succeeds or is cancelled' 'recipient.paid_out	this recipient was paid' 'recipient.pending	the payout is with the provider; for cash it carries the pickup code' 'recipient.refunded	this recipient\'s money was returned' 'sender.approved	the sender may transact' 'sender.created	a sender was stored' 'sender.disabled	the sender was switched off by a delete request' 'sender.rejected	the sender failed the checks' 'transaction.approved	the sender is approved: the transaction can be funded' 'transaction.canceled	a collection was not paid in time' 'transaction.created	a transaction was created' 'transaction.exception	something unexpected happened; ask the operator' 'transaction.mispaid	another amount than asked was collected; the transaction was resized' 'transaction.paid_in	the customer\'s money for a collection arrived' 'transaction.paid_out	every recipient was paid, or the collected money is on the balance' 'transaction.refunded	cancelled after funding, and the money was returned' 'transaction_request.accepted	a request for a transaction was accepted' 'transaction_request.canceled	a request for a transaction was cancelled' 'transaction_request.confirmed	a request for a transaction was confirmed' 'transaction_request.created	a request for a transaction was made' 'transaction_request.expired	a request for a transaction ran out of time' 'transaction_request.modified	a request for a transaction was changed' 'transaction_request.refused	a request for a transaction was refused' 'transaction_request.rejected	a request for a transaction was rejected' 'transaction_request.reset	a request for a transaction was set back' 'amount_after_pending	the balance less what is reserved for payments under way' 'auto_refund	a trait of a transaction: if it is not paid within 24 hours of funding, it is cancelled and refunded; on unless switched off' 'account_validation	a trait of a transaction: the name on the account is checked before it is paid' 'created_at	when the record was made, in UTC' 'due_amount	what is still to be paid in' 'editable	whether the details of a recipient can be changed now; if the payout is pending, new details count only if this try fails' 'exchange_rate	how much of the output currency you get for one unit of the input currency' 'existing	in a refusal (422): the record that has the external id already' 'expires_at	until when a transaction can be funded: one hour after its creation' 'external_id	your own reference for a record; it names one transaction, or one sender, for ever' 'fields	the fields of a payout method: control, options, whether a field is required, and its format' 'input_amount	what the payment costs, in the currency that is paid in' 'input_currency	the currency that is paid in: that of the balance, or of the collection' 'mandate_id	the mandate that the recipient must have signed' 'may_cancel	whether a recipient can be cancelled at once; if not, a cancel is only requested from the provider, which may still pay' 'metadata	your own notes that are kept with a record' 'mtm_rate	the mid-market rate; a payment gets this rate less the margin' 'output_amount	what the recipient gets, rounded as the currency asks' 'output_currency	the currency that the recipient gets' 'paid_amount	what has been paid in so far' 'payin_methods	how a collection is paid by the sender' 'payin_reference	the reference by which a payin is recognised' 'payout_method	where a recipient is paid: type and details' 'recipients	the payouts of a transaction: each has a state of its own, and each is cancelled on its own' 'requested_amount	the amount that was asked for, in requested_currency' 'requested_currency	the currency of requested_amount: either the one paid in or the one paid out' 'retriable	whether a failed payout is tried again' 'sender	who sends the money; must be approved before a transaction can be funded' 'state	the state of a record; it decides what can be done, a reason never does' 'state_reason	why the record is in its state, in the words of the service' 'state_reason_details	why the record is in its state: code, category, and messages from general to detailed; for people only' 'traits	switches of a transaction: account_validation and auto_refund' 'transaction_state	the state of the transaction that a recipient belongs to' 'ux_flow	how the sender of a collection is asked to pay, such as ussd_popup' 'WTR2	the simplified mode of sender identification: one of three is enough (identification number and type; street, city and postal code; or date of birth). The operator switches it on for accounts that identify their customers in full. MAD::Cash and XOF::Cash cannot be paid with it.'
        case 'transaction-states'
            printf '%s\n' 'initial	created, but the sender is not approved yet: it cannot be funded' 'approved	created and ready: it can be funded, within one hour of creation' 'pending	a payin was received and its funds wait to clear' 'processing	under compliance review; an answer is expected within 24 hours' 'received	funded; payouts run, and failed ones are tried again' 'mispaid	another amount than asked was received; the transaction was resized and pays out what came in' 'manual	some payouts need a person to act: look at the recipients' 'paid	every recipient was paid; nothing more to do' 'canceled	cancelled; if it was funded, the refund follows' 'refunded	cancelled after funding, and the money was returned, partly or fully' 'exception	something unexpected happened in processing'
        case 'recipient-states'
            printf '%s\n' 'initial	the payout has not started' 'pending	the payout is with the provider and its answer is awaited' 'success	paid' 'error	the last try failed; the service tries again until it succeeds or is cancelled' 'refunded	cancelled, and the money was returned' 'manual	too many tries failed and the service stopped trying' 'stuck	the provider did not answer in time: it is unknown whether it was paid' 'overpaid	more was paid than was asked' 'canceled	cancelled; if it was funded, the refund follows' 'exception	something unexpected happened in processing'
        case 'reviews'
            printf '%s\n' 'hold' 'release' 'exception' 'resume'
        case 'mandates'
            printf '%s\n' 'notified' 'signed' 'failed' 'bypassed'
        case 'clock'
            printf '%s\n' 'show' 'advance' 'set' 'run' 'stop'
        case 'history'
            printf '%s\n' 'list' 'show' 'settle'
        case 'profiles'
            printf '%s\n' 'list' 'use' 'set'
        case 'completion'
            printf '%s\n' 'bash' 'zsh' 'fish' 'powershell' 'install	write it where the shell looks for it'
        case 'shells'
            printf '%s\n' 'bash' 'zsh' 'fish' 'powershell'
        case 'settings'
            printf '%s\n' 'read_only=true	refuse every write' 'read_only=false	allow writes' 'two_person=true	a pay run is approved with another key' 'repeat_days=	days after which a run may pay the same rows again' 'approvers=	a file of keys: only runs that these signed are paid' 'approvals_needed=	how many of them sign a pay run' 'max_amount.	refuse payments above it: max_amount.EUR=5000' 'output=	how to print results'
        case 'queries'
            printf '%s\n' 'amount_from=' 'amount_to=' 'created_at_from=' 'created_at_to=' 'currency[]=' 'external_id=' 'page=' 'per=' 'sender_id=' 'state[]=' 'transactions_type=' 'type[]='
        case 'scenarios'
            printf '%s\n' 'wrong-account	the bank refuses the account; it is corrected and paid' 'temporary-error	the provider takes no payouts for now; the service tries again' 'sender-error	only the sender could put it right: it is cancelled and refunded' 'too-many-tries	ten tries fail and people must look; an edit sets it going again' 'auto-refund	what is not paid within 24 hours of funding comes back' 'paid-while-cancelling	a cancel is requested while the payout is with the provider, and the provider pays' 'cancel-kept-until-failure	a cancel of a pending payout takes effect when the provider says that it failed' 'not-funded-in-time	a transaction that nobody funds within the hour takes no funds any more' 'too-little-balance	the balance does not carry the payment: nothing is created, nothing is taken' 'answer-lost	the payment is made and the answer is lost: the same again finds it, and nothing is paid twice' 'webhook-first	the webhook arrives before the answer, and again after it' 'name-mismatch	the account belongs to someone else: the payout waits until it is corrected' 'stuck	the provider gives no answer for a day: the outcome is unknown until the operator finds out' 'wrong-amount-collected	a customer pays less than was asked: the transaction is resized and goes on' 'collection-fails	a collection fails; it is tried again, and the customer pays' 'mandate	a payout to South Africa waits until its recipient has signed'
        case 'details'
            printf '%s\n' 'first_name=	First name' 'middle_name=	Middle name' 'last_name=	Last name' 'city=	City' 'postal_code=	Postal code' 'identity_card_id=	Identity document number' 'transfer_reason=	Transfer reason' 'phone_number=	Mobile number' 'pix_key_type=	PIX key type' 'pix_key_value=	PIX key' 'bank_code=	Bank' 'branch_code=	Branch code' 'bank_account=	Account number' 'bank_account_type=	Account type' 'name=	Full name / Company name' 'address=	Wallet address' 'bank_name=	Bank name' 'street=	Street' 'email=	Email' 'reference=	Reference' 'iban=	IBAN' 'bic=	BIC' 'narration=	Payment reference text' 'sort_code=	Sort code' 'gender=	Gender' 'mobile_provider=	Mobile provider' 'identity_card_type=	Identity document type' 'relationship_to_sender=	Relationship to sender' 'reason=	Reason' 'registration_number=	Registration number' 'country=	Country' 'bank_country=	Bank country' 'cash_provider=	Cash provider' 'contact_first_name=	Contact first name' 'contact_last_name=	Contact last name' 'legal_entity_type=	Legal entity type' 'nature_of_business=	Nature of business'
    end
end

function __remit_values # source, what stands before the value, the value so far, profile
    if string match -q -- '=*' "$argv[1]"
        for value in (string split ' ' -- (string sub -s 2 -- "$argv[1]"))
            echo -- "$argv[2]$value"
        end
        return
    end
    for part in (string split ' ' -- "$argv[1]")
        set -l name (string sub -s 2 -- $part)
        switch "$part"
            case '+*'
                for value in (__remit_list $name)
                    echo -- "$argv[2]$value"
                end
            case '@*'
                for value in (command remit __complete $name "$argv[3]" "$argv[4]" 2>/dev/null)
                    echo -- "$argv[2]$value"
                end
            case file
                for value in (__fish_complete_path "$argv[3]")
                    echo -- "$argv[2]$value"
                end
            case atfile
                if string match -q -- '@*' "$argv[3]"
                    for value in (__fish_complete_path (string sub -s 2 -- "$argv[3]"))
                        echo -- "$argv[2]@$value"
                    end
                end
            case program
                __fish_complete_command
        end
    end
end

function __remit_complete
    set -l typed (commandline -opc)
    set -l want (commandline -ct)
    set -l trail ''
    set -l place 1
    set -l first ''
    set -l flag ''
    set -l source ''
    set -l profile ''
    set -l helping ''
    set -l ended ''
    for word in $typed[2..-1]
        if test -n "$source"
            test "$flag" = --profile; and set profile $word
            set source ''
            continue
        end
        switch "$word"
            case --
                set ended 1
            case '--profile=*'
                set profile (string replace -r '^[^=]*=' '' -- $word)
            case '--*=*'
            case '-?*'
                if test -z "$ended"
                    set flag $word
                    set source (__remit_source "$trail $word")
                end
            case '*'
                if test $place = 1; and contains -- $word (__remit_next "$trail" | string replace -r '\t.*' '')
                    if test -z "$trail" -a "$word" = help
                        set helping 1
                    else
                        set trail (string trim -- "$trail $word")
                    end
                else
                    test $place = 1; and set first $word
                    set place (math $place + 1)
                end
        end
    end
    if test -n "$source"
        __remit_values $source '' "$want" "$profile"
    else if test -z "$ended"; and string match -q -- '--*=*' "$want"
        set -l name (string replace -r '=.*' '' -- $want)
        __remit_values (__remit_source "$trail $name") "$name=" (string replace -r '^[^=]*=' '' -- $want) "$profile"
    else if test -z "$ended"; and string match -q -- '-*' "$want"
        __remit_flags "$trail"
    else
        set -l next
        test $place = 1; and set next (__remit_next "$trail")
        if test -n "$helping" -a -z "$trail"
            set -a next 'exit-codes	what each exit code means' 'flags	flags that every command takes' 'environment	variables that remit reads' 'output	formats, --fields and --query'
        end
        if test -n "$next[1]"
            printf '%s\n' $next
        else if test -z "$helping"
            test $place = 1; or set source (__remit_source "$trail $first $place")
            test -n "$source"; or set source (__remit_source "$trail $place")
            __remit_values "$source" '' "$want" "$profile"
        end
    end
end

complete -c remit -e
complete -c remit -f -k -a '(__remit_complete)'
