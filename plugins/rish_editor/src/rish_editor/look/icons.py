"""Icons by meaning: code of the editor writes `icons.SAVE` instead of the name of the glyph in the icon font.

All icons are of one family, Font Awesome 6 Solid, which imgui-bundle contains; `fonts` merges it into each face, so an
icon is a character like any other. Put two spaces between an icon and a word, as `labeled` does.
"""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as fa

# Files
NEW = fa.ICON_FA_FILE_CIRCLE_PLUS
OPEN = fa.ICON_FA_FOLDER_OPEN
SAVE = fa.ICON_FA_FLOPPY_DISK
FOLDER = fa.ICON_FA_FOLDER
FILE = fa.ICON_FA_FILE
IMAGE = fa.ICON_FA_IMAGE
SOUND = fa.ICON_FA_VOLUME_HIGH
IMPORT = fa.ICON_FA_FILE_IMPORT
EXPORT = fa.ICON_FA_FILE_EXPORT
EXTERNAL = fa.ICON_FA_ARROW_UP_RIGHT_FROM_SQUARE
RELOAD = fa.ICON_FA_ROTATE
RECENT = fa.ICON_FA_CLOCK
QUIT = fa.ICON_FA_ARROW_RIGHT_FROM_BRACKET

# Edits
UNDO = fa.ICON_FA_ROTATE_LEFT
REDO = fa.ICON_FA_ROTATE_RIGHT
CUT = fa.ICON_FA_SCISSORS
COPY = fa.ICON_FA_COPY
PASTE = fa.ICON_FA_PASTE
DUPLICATE = fa.ICON_FA_CLONE
DELETE = fa.ICON_FA_TRASH_CAN
RENAME = fa.ICON_FA_PEN
RESET = fa.ICON_FA_ARROW_ROTATE_LEFT
GROUP = fa.ICON_FA_OBJECT_GROUP
UNGROUP = fa.ICON_FA_OBJECT_UNGROUP
PLUS = "\uf067"  # fa.ICON_FA_PLUS is the character +, which the text face has too
MINUS = fa.ICON_FA_MINUS
CHECK = fa.ICON_FA_CHECK
CLOSE = fa.ICON_FA_XMARK

# Playing
PLAY = fa.ICON_FA_PLAY
PAUSE = fa.ICON_FA_PAUSE
STEP = fa.ICON_FA_FORWARD_STEP
STEP_BACK = fa.ICON_FA_BACKWARD_STEP
STOP = fa.ICON_FA_STOP
RECORD = fa.ICON_FA_CIRCLE

# Tools of the scene view
SELECT = fa.ICON_FA_ARROW_POINTER
HAND = fa.ICON_FA_HAND
MOVE = fa.ICON_FA_UP_DOWN_LEFT_RIGHT
ROTATE = fa.ICON_FA_ARROWS_ROTATE
SCALE = fa.ICON_FA_MAXIMIZE
STRETCH = fa.ICON_FA_VECTOR_SQUARE
LOCAL = fa.ICON_FA_CUBE
WORLD = fa.ICON_FA_GLOBE
PIVOT = fa.ICON_FA_BULLSEYE
OUTLINE = fa.ICON_FA_CROP_SIMPLE
GRID = fa.ICON_FA_TABLE_CELLS
SPACE = fa.ICON_FA_DICE_D6
RULER = fa.ICON_FA_RULER_COMBINED
SNAP = fa.ICON_FA_MAGNET
FRAME = fa.ICON_FA_EXPAND
ZOOM_IN = fa.ICON_FA_MAGNIFYING_GLASS_PLUS
ZOOM_OUT = fa.ICON_FA_MAGNIFYING_GLASS_MINUS
ALIGN = fa.ICON_FA_ALIGN_LEFT
BRUSH = fa.ICON_FA_PAINTBRUSH
ERASER = fa.ICON_FA_ERASER
BUCKET = fa.ICON_FA_FILL_DRIP
PIPETTE = fa.ICON_FA_EYE_DROPPER
COLOR = fa.ICON_FA_PALETTE

# Finding, showing and arranging
SEARCH = fa.ICON_FA_MAGNIFYING_GLASS
FILTER = fa.ICON_FA_FILTER
EYE = fa.ICON_FA_EYE
EYE_SLASH = fa.ICON_FA_EYE_SLASH
LOCK = fa.ICON_FA_LOCK
UNLOCK = fa.ICON_FA_LOCK_OPEN
PIN = fa.ICON_FA_THUMBTACK
LINK = fa.ICON_FA_LINK
UNLINK = fa.ICON_FA_LINK_SLASH
MENU = fa.ICON_FA_BARS
MORE = fa.ICON_FA_ELLIPSIS_VERTICAL
DRAG = fa.ICON_FA_GRIP_VERTICAL
DOCK = fa.ICON_FA_TABLE_COLUMNS
MAXIMIZE = fa.ICON_FA_UP_RIGHT_AND_DOWN_LEFT_FROM_CENTER
SORT = fa.ICON_FA_SORT
UP = fa.ICON_FA_CHEVRON_UP
DOWN = fa.ICON_FA_CHEVRON_DOWN
LEFT = fa.ICON_FA_CHEVRON_LEFT
RIGHT = fa.ICON_FA_CHEVRON_RIGHT
BACK = fa.ICON_FA_ARROW_LEFT
FORWARD = fa.ICON_FA_ARROW_RIGHT

# Messages
INFO = fa.ICON_FA_CIRCLE_INFO
WARNING = fa.ICON_FA_TRIANGLE_EXCLAMATION
ERROR = fa.ICON_FA_CIRCLE_XMARK
CRITICAL = fa.ICON_FA_SKULL
OK = fa.ICON_FA_CIRCLE_CHECK
HELP = fa.ICON_FA_CIRCLE_QUESTION
DEBUG = fa.ICON_FA_BUG
TRACE = fa.ICON_FA_SHOE_PRINTS
BUSY = fa.ICON_FA_HOURGLASS_HALF
UNSAVED = fa.ICON_FA_CIRCLE
OVERRIDE = fa.ICON_FA_CARET_LEFT
OVERRIDDEN = fa.ICON_FA_CARET_RIGHT

# Panels
HIERARCHY = fa.ICON_FA_LIST_UL
INSPECTOR = fa.ICON_FA_SLIDERS
SCENE = fa.ICON_FA_MOUNTAIN_SUN
GAME = fa.ICON_FA_GAMEPAD
LOG = fa.ICON_FA_RECTANGLE_LIST
HISTORY = fa.ICON_FA_CLOCK_ROTATE_LEFT
ASSETS = fa.ICON_FA_FOLDER_TREE
CONSOLE = fa.ICON_FA_TERMINAL
PROFILER = fa.ICON_FA_GAUGE_HIGH
SETTINGS = fa.ICON_FA_GEAR
COMMANDS = fa.ICON_FA_BOLT
PLUGIN = fa.ICON_FA_PLUG
KEYBOARD = fa.ICON_FA_KEYBOARD
LANGUAGE = fa.ICON_FA_LANGUAGE
THEME = fa.ICON_FA_CIRCLE_HALF_STROKE

# Things of a game
ENTITY = fa.ICON_FA_CUBE
COMPONENT = fa.ICON_FA_PUZZLE_PIECE
PREFAB = fa.ICON_FA_CUBES
TRANSFORM = fa.ICON_FA_UP_DOWN_LEFT_RIGHT
NAME = fa.ICON_FA_SIGNATURE
TAG = fa.ICON_FA_TAG
SPRITE = fa.ICON_FA_IMAGE
SCENE_WINDOW = fa.ICON_FA_WINDOW_MAXIMIZE
MAP = fa.ICON_FA_MAP
SHAPE = fa.ICON_FA_SHAPES
LINE = fa.ICON_FA_SLASH
TEXT = fa.ICON_FA_FONT
CAMERA = fa.ICON_FA_VIDEO
LIGHT = fa.ICON_FA_LIGHTBULB
SUN = fa.ICON_FA_SUN
SKY = fa.ICON_FA_CLOUD_SUN
EMITTER = PARTICLES = fa.ICON_FA_WAND_MAGIC_SPARKLES
BODY = fa.ICON_FA_WEIGHT_HANGING
COLLIDER = fa.ICON_FA_DRAW_POLYGON
JOINT = fa.ICON_FA_CIRCLE_NODES
AREA = fa.ICON_FA_WATER
SENSOR = fa.ICON_FA_TOWER_BROADCAST
WIND = fa.ICON_FA_WIND
TILEMAP = fa.ICON_FA_TABLE_CELLS_LARGE
ANIMATION = fa.ICON_FA_FILM
PATH = fa.ICON_FA_ROUTE
RULE = fa.ICON_FA_DIAGRAM_PROJECT
SCRIPT = fa.ICON_FA_FILE_CODE
EVENT = fa.ICON_FA_BELL
TIMER = fa.ICON_FA_STOPWATCH
SIGHT = fa.ICON_FA_BINOCULARS
CHARACTER = fa.ICON_FA_PERSON_RUNNING
LISTENER = fa.ICON_FA_EAR_LISTEN
MUTED = fa.ICON_FA_VOLUME_XMARK
MUSIC = fa.ICON_FA_MUSIC
DICE = fa.ICON_FA_DICE

_COMPONENTS = {
    "Ambient": LIGHT,
    "Animation": ANIMATION,
    "Animator": ANIMATION,
    "Animator3D": ANIMATION,
    "AudioListener": LISTENER,
    "AudioSource": SOUND,
    "Billboard3D": IMAGE,
    "Body": BODY,
    "Body3D": BODY,
    "Button": SELECT,
    "Camera": CAMERA,
    "Camera3D": CAMERA,
    "CanvasGroup": GROUP,
    "Character": CHARACTER,
    "Character3D": CHARACTER,
    "Collider": COLLIDER,
    "Collider3D": COLLIDER,
    "Dialog": SCENE_WINDOW,
    "Dropdown": DOWN,
    "Emitter": EMITTER,
    "FlyCamera3D": CAMERA,
    "FogOfWar": SIGHT,
    "Flat": TRANSFORM,
    "Follow": PATH,
    "FollowPath": PATH,
    "GravityPoint": AREA,
    "GravityPoint3D": AREA,
    "Grid": GRID,
    "Group": GROUP,
    "Image": IMAGE,
    "KeyBindings": KEYBOARD,
    "Label": TEXT,
    "Lamp3D": LIGHT,
    "Layout": ALIGN,
    "Lifetime": TIMER,
    "Light": LIGHT,
    "Line": LINE,
    "List": HIERARCHY,
    "Material3D": COLOR,
    "Minimap": MAP,
    "Model3D": LOCAL,
    "MotionPath": PATH,
    "Name": NAME,
    "NinePatch": SPRITE,
    "Occluder": COLLIDER,
    "Origin": PREFAB,
    "Panel": SCENE_WINDOW,
    "Persistent": PIN,
    "ProgressBar": PROFILER,
    "Screen": GAME,
    "ScrollView": SORT,
    "Shape": SHAPE,
    "Sight": SIGHT,
    "Sky3D": SKY,
    "Slider": INSPECTOR,
    "Socket3D": LINK,
    "Sprite": SPRITE,
    "SpriteSheet": IMAGE,
    "Sun3D": SUN,
    "Tabs": DOCK,
    "Tags": TAG,
    "Text": TEXT,
    "TextInput": RENAME,
    "TileMap": TILEMAP,
    "Timeless": TIMER,
    "Timer": TIMER,
    "Toggle": CHECK,
    "Trail": LINE,
    "Transform": TRANSFORM,
    "Transform3D": TRANSFORM,
    "Tween": ANIMATION,
    "WaterArea": AREA,
    "WaterArea3D": AREA,
    "Widget": SELECT,
    "Wind": WIND,
    "WindArea": WIND,
    "WindArea3D": WIND,
    "Wrap": RELOAD,
}
_ENDINGS = {
    "Joint": JOINT,
    "Joint3D": JOINT,
    "Area": AREA,
    "Light": LIGHT,
    "Script": SCRIPT,
    "Rule": RULE,
    "Timer": TIMER,
}


def icon_for(component: str) -> str:
    """Return the icon of a component by the name of its class; a piece of a puzzle for an unknown one."""
    own_icon = _COMPONENTS.get(component)
    if own_icon is not None:
        return own_icon
    return next((icon for ending, icon in _ENDINGS.items() if component.endswith(ending)), COMPONENT)


def by_name(name: str, default: str = COMPONENT) -> str:
    """Return an icon by its name in text, such as `camera`, for plugins that do not import this package."""
    icon = globals().get(name.upper())
    return icon if isinstance(icon, str) and name.replace("_", "").isalpha() else default


def labeled(icon: str, text: str) -> str:
    """Return an icon and a text as one label."""
    return f"{icon}  {text}"


def names() -> list[str]:
    """Return the names of all icons, as `by_name` takes them."""
    return [
        name.lower()
        for name, value in globals().items()
        if name.isupper() and name[0] != "_" and isinstance(value, str)
    ]
