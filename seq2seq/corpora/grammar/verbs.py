"""Verbs: English forms, French infinitive, frame, possible subjects and objects.

Columns: english · past/participle (``-`` where regular) · french · frame · subjects · objects · marks.
An underscore joins words: the particle of an English verb (``look_for``), the noun of a French one (``avoir_besoin``).

Frames: ``alone``, ``object``, ``gift`` (object and recipient), ``to`` (a goal), ``à`` and ``de`` (the French
preposition before the object), ``que`` (a clause).
Subjects: P persons, A persons and animals, B persons and institutions, T anything that can fall.
Marks: ``core`` has every person and tense; ``state`` is never progressive and has the imparfait as its past;
``être`` is its auxiliary; ``passive`` has a passive; ``only`` takes no pronoun as its object.
"""

VERBS = """
eat         ate/eaten       manger          object  A  food,stuff                       core passive
drink       drank/drunk     boire           object  A  drink                            core
see         saw/seen        voir            object  A  person,animal,thing,place,town        core still
buy         bought/bought   acheter         object  P  food,text,thing,clothes,vehicle,drink  passive
sell        sold/sold       vendre          object  P  food,text,thing,vehicle          passive
find        found/found     trouver         object  A  person,animal,thing,food,text    still passive
lose        lost            perdre          object  P  thing,clothes,text               still
open        -               ouvrir          object  P  part
close       -               fermer          object  P  part
write       wrote/written   écrire          object  P  text                             core passive
wash        -               laver           object  P  clothes,vehicle,food
carry       -               porter          object  P  thing,food,text
repair      -               réparer         object  P  vehicle,part                     passive
build       built/built     construire      object  B  place,goal                            passive
paint       -               peindre         object  P  part,vehicle                     passive
draw        drew/drawn      dessiner        object  P  animal,person,place
break       broke/broken    casser          object  P  thing                            passive
choose      chose/chosen    choisir         object  B  thing,text,clothes,theme         passive
hide        hid/hidden      cacher          object  P  thing,text,food
use         -               utiliser        object  B  thing,vehicle
visit       -               visiter         object  P  place,goal
leave       left            quitter         object  P  place,goal
love        -               aimer           object  P  person,kin,animal,text           core state
hate        -               détester        object  P  person,animal,text,food          state
meet        met             rencontrer      object  P  person,kin                       still
help        -               aider           object  B  person,kin                       core
invite      -               inviter         object  P  person,kin                       passive
watch       -               regarder        object  A  person,animal
look_for    -               chercher        object  A  person,animal,thing,food         core
wait_for    -               attendre        object  P  person,kin,vehicle
listen_to   -               écouter         object  P  person,kin,text
call        -               appeler         object  P  person,kin
follow      -               suivre          object  A  person,animal
thank       -               remercier       object  P  person,kin                       still
know        knew/known      connaître       object  P  person,kin,place,text            state
understand  understood      comprendre      object  B  text,theme,trouble               still passive
admire      -               admirer         object  P  person,text,place,town                state
protect     -               protéger        object  B  person,place,town,trouble            passive
forget      forgot/forgotten oublier         object  P  thing,text                       still
want        -               vouloir         object  B  thing,food,drink,theme           core state only
have        had             avoir           object  P  thing,animal,vehicle,food        core state only
accept      -               accepter        object  B  theme                            still passive
reject      -               rejeter         object  B  theme                            still passive
criticise   -               critiquer       object  B  theme,body                       passive
support     -               soutenir        object  B  theme,body                       passive
propose     -               proposer        object  B  theme                            passive
study       -               étudier         object  B  theme,text,trouble               passive
finance     -               financer        object  B  theme,event                      passive
organise    -               organiser       object  B  event                            passive
prepare     -               préparer        object  B  food,event                       passive
sleep       slept           dormir          alone   A  -                                core
sing        sang/sung       chanter         alone   A  -                                core
dance       -               danser          alone   P  -
work        -               travailler      alone   P  -                                core
run         ran/run         courir          alone   A  -
laugh       -               rire            alone   P  -
cry         -               pleurer         alone   P  -
smile       -               sourire         alone   P  -
swim        swam/swum       nager           alone   A  -
play        -               jouer           alone   A  -                                core
walk        -               marcher         alone   A  -
travel      travelled       voyager         alone   P  -
stay        -               rester          alone   A  -                                être
arrive      -               arriver         alone   A  -                                être
fall        fell/fallen     tomber          alone   T  -                                être
go_out      went/gone       sortir          alone   A  -                                être
come_back   came/come       revenir         alone   A  -                                être
rest        -               se_reposer      alone   A  -
get_up      got             se_lever        alone   P  -
go          went/gone       aller           to      P  goal                             core être
return      -               retourner       to      P  goal                             être
give        gave/given      donner          gift    P  thing,food,text,clothes,drink    core
show        showed/shown    montrer         gift    P  thing,text,animal,place
send        sent            envoyer         gift    P  text,thing
lend        lent            prêter          gift    P  thing,vehicle,text
offer       -               offrir          gift    P  thing,drink,food
explain     -               expliquer       gift    B  theme,trouble                       only
answer      -               répondre        à       B  person,kin                       core
obey        -               obéir           à       A  person                           state
talk_to     -               parler          à       P  person,kin                       core
think_about thought         penser          à       P  theme,person,place,trouble            only
take_part_in took/taken     participer      à       B  event                            only
talk_about  -               parler          de      P  text,trouble,person,place,animal  core only
dream_about -               rêver           de      P  animal,place,person              only
need        -               avoir_besoin    de      B  thing,person,theme,vehicle       state only core
remember    -               se_souvenir     de      P  person,text,place,town                state only
think       thought         penser          que     B  -                                state core
say         said            dire            que     B  -                                state core
believe     -               croire          que     B  -                                state
hope        -               espérer         que     B  -                                state
"""

# finite verbs that take an infinitive: english, past, french, French preposition before the infinitive
CHAINS = """
want_to     -        vouloir    -   state
like_to     -        aimer      -   state
try_to      -        essayer    de  -
decide_to   -        décider    de  -
refuse_to   -        refuser    de  -
begin_to    began/begun commencer  à   -
learn_to    -        apprendre  à   -
"""
