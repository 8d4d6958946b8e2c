@echo off
rem Starts Rish from the folder of this file. Without arguments it opens the window with all games.
rem With arguments it is the command `rish`, as in: start.cmd run games\breakout
setlocal
set "here=%~dp0"
for %%v in (PYTHONHOME PYTHONPATH PYTHONSTARTUP PYTHONOPTIMIZE PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX PYTHONINSPECT PYTHONWARNINGS PYTHONDEVMODE) do set "%%v="
rem Settings and save games: in `data` beside this file, or in the user's own folders if that can't be written.
if not defined RISH_USER_FOLDER if exist "%here%data\" (
    copy /y nul "%here%data\write.test" >nul 2>&1 && del "%here%data\write.test" && set "RISH_USER_FOLDER=%here%data"
)
rem Packages that `rish add` may install: the wheels in this folder.
if not defined RISH_WHEELS if exist "%here%wheels\" set "RISH_WHEELS=%here%wheels"
if "%~1"=="" (
    cd /d "%here%games"
    "%here%python\{program}" -I -m rish_core edit
) else (
    "%here%python\{program}" -I -m rish_core %*
)
