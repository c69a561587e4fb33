/** The script for PowerShell, 5.1 and later: a native argument completer over the same tables. */
import type { Spec } from './spec.ts';

/** PowerShell takes typographic apostrophes for quotes too. */
const quote = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;

type Pair = readonly [value: string, about: string];
const pair = ([value, about]: Pair): string => quote(about === '' ? value : `${value}\t${about}`);

const table = (rows: readonly (readonly [key: string, pairs: readonly Pair[]])[]): string =>
  rows
    .filter(([, pairs]) => pairs.length > 0)
    .map(([key, pairs]) => `    ${quote(key)} = @(${pairs.map(pair).join(', ')})`)
    .join('\n');

const pairs = (own: Spec['globals']): Pair[] => own.map(({ name, about }) => [name, about]);

/** Keys of a hash table that differ in case only would be one and the same: tables of values are by exact name. */
/** How a line is read, and where the values of each place come from: the same whatever the commands are. */
const REST = `}

function Get-RemitSource([string]$Trail, [string]$Name) {
    foreach ($key in @("$Trail $Name", "* $Name")) {
        if ($RemitSources.ContainsKey($key)) { return $RemitSources[$key] }
    }
    if ($Name -match '^\\d$') {
        foreach ($from in ([int]$Name)..1) {
            if ($RemitSources.ContainsKey("$Trail $from+")) { return $RemitSources["$Trail $from+"] }
        }
    }
    return ''
}

function Get-RemitValues([string]$Source, [string]$Want, [string]$UseProfile) {
    if ($Source.StartsWith('=')) { return $Source.Substring(1) -split ' ' }
    foreach ($part in ($Source -split ' ')) {
        if ($part.StartsWith('+')) { $RemitLists[$part.Substring(1)] }
        elseif ($part.StartsWith('@')) {
            # PowerShell before 7.3 drops empty arguments: a dash stands for none.
            $asked = if ($Want) { $Want } else { '-' }
            $with = if ($UseProfile) { $UseProfile } else { '-' }
            & remit __complete $part.Substring(1) $asked $with 2>$null
        }
        elseif ($part -eq 'file') { Get-ChildItem -Path "$Want*" -ErrorAction SilentlyContinue | ForEach-Object { Resolve-Path -Relative -LiteralPath $_.FullName } }
        elseif ($part -eq 'atfile' -and $Want.StartsWith('@')) {
            Get-ChildItem -Path ($Want.Substring(1) + '*') -ErrorAction SilentlyContinue | ForEach-Object { '@' + (Resolve-Path -Relative -LiteralPath $_.FullName) }
        }
    }
}

function Get-RemitCompletion([string[]]$Typed, [string]$Want) {
    $trail = ''; $place = 1; $first = ''; $flag = ''; $source = ''; $useProfile = ''; $helping = $false; $ended = $false
    foreach ($word in $Typed) {
        if ($source) {
            if ($flag -ceq '--profile') { $useProfile = $word }
            $source = ''
        }
        elseif ($word -ceq '--') { $ended = $true }
        elseif ($word -clike '--profile=*') { $useProfile = $word.Substring(10) }
        elseif ($word -like '--*=*') { }
        elseif ($word -like '-?*') {
            if (-not $ended) { $flag = $word; $source = Get-RemitSource $trail $word }
        }
        else {
            $key = if ($trail) { $trail } else { 'remit' }
            $names = @($RemitNext[$key] | Where-Object { $_ } | ForEach-Object { ($_ -split "\\t")[0] })
            if ($place -eq 1 -and $names -ccontains $word) {
                if (-not $trail -and $word -ceq 'help') { $helping = $true } else { $trail = "$trail $word".Trim() }
            }
            else {
                if ($place -eq 1) { $first = $word }
                $place++
            }
        }
    }
    $before = ''
    if ($source) { $found = Get-RemitValues $source $Want $useProfile }
    elseif (-not $ended -and $Want -like '--*=*') {
        $before = $Want.Substring(0, $Want.IndexOf('=') + 1)
        $found = Get-RemitValues (Get-RemitSource $trail $before.TrimEnd('=')) $Want.Substring($before.Length) $useProfile
    }
    elseif (-not $ended -and $Want -like '-*') { $found = @($RemitFlags[$trail]) + $RemitGlobals }
    else {
        $key = if ($trail) { $trail } else { 'remit' }
        $found = @()
        if ($place -eq 1 -and $RemitNext.ContainsKey($key)) { $found = @($RemitNext[$key]) }
        if ($helping -and -not $trail) { $found += $RemitTopics }
        if ($found.Count -eq 0 -and -not $helping) {
            $source = ''
            if ($place -gt 1) { $source = Get-RemitSource $trail "$first $place" }
            if (-not $source) { $source = Get-RemitSource $trail "$place" }
            $found = Get-RemitValues $source $Want $useProfile
        }
    }
    foreach ($line in $found) {
        if (-not $line) { continue }
        $value, $about = $line -split "\\t", 2
        $whole = "$before$value"
        if (-not $whole.StartsWith($Want, [StringComparison]::Ordinal)) { continue }
        if (-not $about) { $about = $value }
        $text = if ($whole -match '^[\\w.:/=+-]+$') { $whole } else { "'" + ($whole -replace "['\\u2018-\\u201b]", '$0$0') + "'" }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $about)
    }
}

Register-ArgumentCompleter -Native -CommandName remit -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)
    $typed = @($CommandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $CursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
    Get-RemitCompletion $typed $WordToComplete
}
`;

export function powershellScript({ words, topics, globals, flags, sources, lists }: Spec): string {
  return `# remit completion for PowerShell. Made by \`remit completion powershell\`: words are here, ids and profiles are asked of remit.

$RemitNext = @{
${table(words).replace("    '' = ", "    'remit' = ")}
}
$RemitFlags = @{
${table(flags.map(([name, own]) => [name, pairs(own)]))}
}
$RemitGlobals = @(${pairs(globals).map(pair).join(', ')})
$RemitTopics = @(${topics.map(pair).join(', ')})
$RemitSources = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
@'
${sources.map(([key, source]) => `${key}\t${source}`).join('\n')}
'@ -split "\\r?\\n" | ForEach-Object { $key, $source = $_ -split "\\t"; $RemitSources[$key] = $source }
$RemitLists = @{
${table(lists)}
${REST}`;
}
