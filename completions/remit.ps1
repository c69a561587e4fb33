# remit completion for PowerShell, 5.1 and later. It asks `remit __complete` what may stand at the cursor (decision 0083).

Register-ArgumentCompleter -Native -CommandName remit -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)
    $typed = @($CommandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $CursorPosition } |
        ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
    # PowerShell before 7.3 drops empty arguments: --blank stands for an empty word at the end.
    $asked = if ($WordToComplete) { @('--') + $typed + @($WordToComplete) } else { @('--blank', '--') + $typed }
    $before = ''
    foreach ($line in @(& remit __complete @asked 2>$null)) {
        $value, $about = $line -split '\t', 2
        if ($line.StartsWith(':before ')) { $before = $line.Substring(8); continue }
        # Of the other lines for the script none is needed: PowerShell puts no blank behind a value.
        if ($line -ceq ':files') {
            $path = $WordToComplete.Substring($before.Length)
            $found = @(Get-ChildItem -Path "$path*" -ErrorAction SilentlyContinue | ForEach-Object { Resolve-Path -Relative -LiteralPath $_.FullName })
        }
        elseif ($line.StartsWith(':')) { continue }
        elseif ("$before$value".StartsWith($WordToComplete, [StringComparison]::Ordinal)) { $found = @($value) }
        else { continue }
        foreach ($one in $found) {
            $whole = "$before$one"
            # Typographic apostrophes are quotes too.
            $text = if ($whole -match '^[\w.:/=+-]+$') { $whole } else { "'" + ($whole -replace "['\u2018-\u201b]", '$0$0') + "'" }
            $tip = if ($about) { $about } else { $one }
            [System.Management.Automation.CompletionResult]::new($text, $one, 'ParameterValue', $tip)
        }
    }
}
