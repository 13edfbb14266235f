var H_=0,jf=1,W_=2;var Ll=1,q_=2,ha=3,br=0,ai=1,En=2,$r=0,ua=1,Dl=2,Jf=3,Zf=4,X_=5;var Yr=100,$_=101,Y_=102,K_=103,j_=104,J_=200,Z_=201,Q_=202,ey=203,Qf=204,em=205,ty=206,ny=207,iy=208,sy=209,ry=210,oy=211,ay=212,ly=213,cy=214,xh=0,wh=1,Mh=2,Jo=3,Sh=4,Ah=5,Eh=6,Th=7,tm=0,hy=1,uy=2,ms=0,nm=1,im=2,sm=3,rm=4,om=5,am=6,lm=7,Gf="attached",dy="detached",cm=300,Kr=301,da=302,jh=303,Jh=304,Zo=1e3,us=1001,Ch=1002,An=1003,py=1004;var Nl=1005;var vn=1006,Zh=1007;var Zi=1008;var li=1009,hm=1010,um=1011,pa=1012,Qh=1013,Ti=1014,ci=1015,Qi=1016,eu=1017,tu=1018,jr=1020,dm=35902,pm=35899,fm=1021,mm=1022,Jn=1023,Bs=1026,Gs=1027,nu=1028,iu=1029,xr=1030,su=1031;var ru=1033,Fl=33776,kl=33777,Ul=33778,Ol=33779,ou=35840,au=35841,lu=35842,cu=35843,hu=36196,uu=37492,du=37496,pu=37488,fu=37489,Bl=37490,mu=37491,gu=37808,vu=37809,_u=37810,yu=37811,bu=37812,xu=37813,wu=37814,Mu=37815,Su=37816,Au=37817,Eu=37818,Tu=37819,Cu=37820,Pu=37821,Ru=36492,Iu=36494,Lu=36495,Du=36283,Nu=36284,zl=36285,Fu=36286;var dl=2300,Ph=2301,yh=2302,Hf=2303,Wf=2400,qf=2401,Xf=2402;var fy=3200;var gm=0,my=1,Hs="",an="srgb",pl="srgb-linear",fl="linear",It="srgb";var bh=7680;var gy=519,vy=512,_y=513,yy=514,Vl=515,by=516,xy=517,vm=518,_m=519,ym=35044,gi=35048;var bm="300 es",ki=2e3,ml=2001;function OS(i){for(let e=i.length-1;e>=0;--e)if(i[e]>=65535)return!0;return!1}function BS(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function gl(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function wy(){let i=gl("canvas");return i.style.display="block",i}var o_={},Qo=null;function vl(...i){let e="THREE."+i.shift();Qo?Qo("log",e,...i):console.log(e,...i)}function My(i){let e=i[0];if(typeof e=="string"&&e.startsWith("TSL:")){let t=i[1];t&&t.isStackTrace?i[0]+=" "+t.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function Xe(...i){i=My(i);let e="THREE."+i.shift();if(Qo)Qo("warn",e,...i);else{let t=i[0];t&&t.isStackTrace?console.warn(t.getError(e)):console.warn(e,...i)}}function Ze(...i){i=My(i);let e="THREE."+i.shift();if(Qo)Qo("error",e,...i);else{let t=i[0];t&&t.isStackTrace?console.error(t.getError(e)):console.error(e,...i)}}function ul(...i){let e=i.join(" ");e in o_||(o_[e]=!0,Xe(...i))}function Sy(i,e,t){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(e,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,t);break;default:n()}}setTimeout(r,t)})}var Ay={[xh]:xh,[Mh]:Eh,[Sh]:Sh,[Jo]:Ah,[wh]:wh,[Eh]:Mh,[Th]:Th,[Ah]:Jo},ds=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n===void 0?!1:n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let s=n[e];if(s!==void 0){let r=s.indexOf(t);r!==-1&&s.splice(r,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,e);e.target=null}}},Kn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"];var vf=Math.PI/180,Rh=180/Math.PI;function wr(){let i=Math.random()*4294967295|0,e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Kn[i&255]+Kn[i>>8&255]+Kn[i>>16&255]+Kn[i>>24&255]+"-"+Kn[e&255]+Kn[e>>8&255]+"-"+Kn[e>>16&15|64]+Kn[e>>24&255]+"-"+Kn[t&63|128]+Kn[t>>8&255]+"-"+Kn[t>>16&255]+Kn[t>>24&255]+Kn[n&255]+Kn[n>>8&255]+Kn[n>>16&255]+Kn[n>>24&255]).toLowerCase()}function Mt(i,e,t){return Math.max(e,Math.min(t,i))}function zS(i,e){return(i%e+e)%e}function _f(i,e,t){return(1-t)*i+t*e}function Ey(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function ku(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function Ty(i,e){if(e.constructor===Float32Array)return i;let t=ku(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/t,-1)}function Cy(i,e){if(e.constructor===Float32Array)return i;let t=ku(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*t)}var ct=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw new Error("THREE.Vector2: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,s=e.elements;return this.x=s[0]*t+s[3]*n+s[6],this.y=s[1]*t+s[4]*n+s[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=Mt(this.x,e.x,t.x),this.y=Mt(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=Mt(this.x,e,t),this.y=Mt(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Mt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(Mt(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),s=Math.sin(t),r=this.x-e.x,o=this.y-e.y;return this.x=r*n-o*s+e.x,this.y=r*s+o*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},Lt=class{constructor(e=0,t=0,n=0,s=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=s}static slerpFlat(e,t,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],d=r[o+0],p=r[o+1],f=r[o+2],y=r[o+3];if(u!==y||l!==d||c!==p||h!==f){let m=l*d+c*p+h*f+u*y;m<0&&(d=-d,p=-p,f=-f,y=-y,m=-m);let g=1-a;if(m<.9995){let b=Math.acos(m),C=Math.sin(b);g=Math.sin(g*b)/C,a=Math.sin(a*b)/C,l=l*g+d*a,c=c*g+p*a,h=h*g+f*a,u=u*g+y*a}else{l=l*g+d*a,c=c*g+p*a,h=h*g+f*a,u=u*g+y*a;let b=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=b,c*=b,h*=b,u*=b}}e[t]=l,e[t+1]=c,e[t+2]=h,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],d=r[o+1],p=r[o+2],f=r[o+3];return e[t]=a*f+h*u+l*p-c*d,e[t+1]=l*f+h*d+c*u-a*p,e[t+2]=c*f+h*p+a*d-l*u,e[t+3]=h*f-a*u-l*d-c*p,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,s){return this._x=e,this._y=t,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,s=e._y,r=e._z,o=e._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),d=l(n/2),p=l(s/2),f=l(r/2);switch(o){case"XYZ":this._x=d*h*u+c*p*f,this._y=c*p*u-d*h*f,this._z=c*h*f+d*p*u,this._w=c*h*u-d*p*f;break;case"YXZ":this._x=d*h*u+c*p*f,this._y=c*p*u-d*h*f,this._z=c*h*f-d*p*u,this._w=c*h*u+d*p*f;break;case"ZXY":this._x=d*h*u-c*p*f,this._y=c*p*u+d*h*f,this._z=c*h*f+d*p*u,this._w=c*h*u-d*p*f;break;case"ZYX":this._x=d*h*u-c*p*f,this._y=c*p*u+d*h*f,this._z=c*h*f-d*p*u,this._w=c*h*u+d*p*f;break;case"YZX":this._x=d*h*u+c*p*f,this._y=c*p*u+d*h*f,this._z=c*h*f-d*p*u,this._w=c*h*u-d*p*f;break;case"XZY":this._x=d*h*u-c*p*f,this._y=c*p*u-d*h*f,this._z=c*h*f+d*p*u,this._w=c*h*u+d*p*f;break;default:Xe("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,s=Math.sin(n);return this._x=e.x*s,this._y=e.y*s,this._z=e.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],s=t[4],r=t[8],o=t[1],a=t[5],l=t[9],c=t[2],h=t[6],u=t[10],d=n+a+u;if(d>0){let p=.5/Math.sqrt(d+1);this._w=.25/p,this._x=(h-l)*p,this._y=(r-c)*p,this._z=(o-s)*p}else if(n>a&&n>u){let p=2*Math.sqrt(1+n-a-u);this._w=(h-l)/p,this._x=.25*p,this._y=(s+o)/p,this._z=(r+c)/p}else if(a>u){let p=2*Math.sqrt(1+a-n-u);this._w=(r-c)/p,this._x=(s+o)/p,this._y=.25*p,this._z=(l+h)/p}else{let p=2*Math.sqrt(1+u-n-a);this._w=(o-s)/p,this._x=(r+c)/p,this._y=(l+h)/p,this._z=.25*p}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(Mt(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let s=Math.min(1,t/n);return this.slerp(e,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x=this._x*e,this._y=this._y*e,this._z=this._z*e,this._w=this._w*e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=t._x,l=t._y,c=t._z,h=t._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=this.dot(e);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-t;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,t=Math.sin(t*c)/h,this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+o*t,this._onChangeCallback()}else this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+o*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(e),s*Math.cos(e),r*Math.sin(t),r*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},F=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw new Error("THREE.Vector3: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(a_.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(a_.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6]*s,this.y=r[1]*t+r[4]*n+r[7]*s,this.z=r[2]*t+r[5]*n+r[8]*s,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=e.elements,o=1/(r[3]*t+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*t+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*t+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*t+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(e){let t=this.x,n=this.y,s=this.z,r=e.x,o=e.y,a=e.z,l=e.w,c=2*(o*s-a*n),h=2*(a*t-r*s),u=2*(r*n-o*t);return this.x=t+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[4]*n+r[8]*s,this.y=r[1]*t+r[5]*n+r[9]*s,this.z=r[2]*t+r[6]*n+r[10]*s,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=Mt(this.x,e.x,t.x),this.y=Mt(this.y,e.y,t.y),this.z=Mt(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=Mt(this.x,e,t),this.y=Mt(this.y,e,t),this.z=Mt(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Mt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,s=e.y,r=e.z,o=t.x,a=t.y,l=t.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return yf.copy(this).projectOnVector(e),this.sub(yf)}reflect(e){return this.sub(yf.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(Mt(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,s=this.z-e.z;return t*t+n*n+s*s}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let s=Math.sin(t)*e;return this.x=s*Math.sin(n),this.y=Math.cos(t)*e,this.z=s*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),s=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=s,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},yf=new F,a_=new Lt,et=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,l,c)}set(e,t,n,s,r,o,a,l,c){let h=this.elements;return h[0]=e,h[1]=s,h[2]=a,h[3]=t,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],d=n[2],p=n[5],f=n[8],y=s[0],m=s[3],g=s[6],b=s[1],C=s[4],S=s[7],R=s[2],E=s[5],_=s[8];return r[0]=o*y+a*b+l*R,r[3]=o*m+a*C+l*E,r[6]=o*g+a*S+l*_,r[1]=c*y+h*b+u*R,r[4]=c*m+h*C+u*E,r[7]=c*g+h*S+u*_,r[2]=d*y+p*b+f*R,r[5]=d*m+p*C+f*E,r[8]=d*g+p*S+f*_,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8];return t*o*h-t*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8],u=h*o-a*c,d=a*l-h*r,p=c*r-o*l,f=t*u+n*d+s*p;if(f===0)return this.set(0,0,0,0,0,0,0,0,0);let y=1/f;return e[0]=u*y,e[1]=(s*c-h*n)*y,e[2]=(a*n-s*o)*y,e[3]=d*y,e[4]=(h*t-s*l)*y,e[5]=(s*r-a*t)*y,e[6]=p*y,e[7]=(n*l-c*t)*y,e[8]=(o*t-n*r)*y,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+e,-s*c,s*l,-s*(-c*o+l*a)+a+t,0,0,1),this}scale(e,t){return ul("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(bf.makeScale(e,t)),this}rotate(e){return ul("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(bf.makeRotation(-e)),this}translate(e,t){return ul("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(bf.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<9;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},bf=new et,l_=new et().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),c_=new et().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function VS(){let i={enabled:!0,workingColorSpace:pl,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===It&&(s.r=Os(s.r),s.g=Os(s.g),s.b=Os(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===It&&(s.r=jo(s.r),s.g=jo(s.g),s.b=jo(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Hs?fl:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},e=[.64,.33,.3,.6,.15,.06],t=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[pl]:{primaries:e,whitePoint:n,transfer:fl,toXYZ:l_,fromXYZ:c_,luminanceCoefficients:t,workingColorSpaceConfig:{unpackColorSpace:an},outputColorSpaceConfig:{drawingBufferColorSpace:an}},[an]:{primaries:e,whitePoint:n,transfer:It,toXYZ:l_,fromXYZ:c_,luminanceCoefficients:t,outputColorSpaceConfig:{drawingBufferColorSpace:an}}}),i}var bt=VS();function Os(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function jo(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Lo,Ih=class{static getDataURL(e,t="image/png"){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>"u")return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{Lo===void 0&&(Lo=gl("canvas")),Lo.width=e.width,Lo.height=e.height;let s=Lo.getContext("2d");e instanceof ImageData?s.putImageData(e,0,0):s.drawImage(e,0,0,e.width,e.height),n=Lo}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&e instanceof ImageBitmap){let t=gl("canvas");t.width=e.width,t.height=e.height;let n=t.getContext("2d");n.drawImage(e,0,0,e.width,e.height);let s=n.getImageData(0,0,e.width,e.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Os(r[o]/255)*255;return n.putImageData(s,0,0),t}else if(e.data){let t=e.data.slice(0);for(let n=0;n<t.length;n++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[n]=Math.floor(Os(t[n]/255)*255):t[n]=Os(t[n]);return{data:t,width:e.width,height:e.height}}else return Xe("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),e}},GS=0,ea=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:GS++}),this.uuid=wr(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<"u"&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<"u"&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t!==null?e.set(t.width||0,t.height||0,t.depth||0):e.set(0,0,0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(xf(s[o].image)):r.push(xf(s[o]))}else r=xf(s);n.url=r}return t||(e.images[this.uuid]=n),n}};function xf(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Ih.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(Xe("Texture: Unable to serialize Texture."),{})}var HS=0,wf=new F,ri=class i extends ds{constructor(e=i.DEFAULT_IMAGE,t=i.DEFAULT_MAPPING,n=us,s=us,r=vn,o=Zi,a=Jn,l=li,c=i.DEFAULT_ANISOTROPY,h=Hs){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:HS++}),this.uuid=wr(),this.name="",this.source=new ea(e),this.mipmaps=[],this.mapping=t,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new ct(0,0),this.repeat=new ct(1,1),this.center=new ct(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new et,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(e&&e.depth&&e.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(wf).x}get height(){return this.source.getSize(wf).y}get depth(){return this.source.getSize(wf).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){Xe(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){Xe(`Texture.setValues(): property '${t}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(e){if(this.mapping!==cm)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case Zo:e.x=e.x-Math.floor(e.x);break;case us:e.x=e.x<0?0:1;break;case Ch:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x=e.x-Math.floor(e.x);break}if(e.y<0||e.y>1)switch(this.wrapT){case Zo:e.y=e.y-Math.floor(e.y);break;case us:e.y=e.y<0?0:1;break;case Ch:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y=e.y-Math.floor(e.y);break}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};ri.DEFAULT_IMAGE=null;ri.DEFAULT_MAPPING=cm;ri.DEFAULT_ANISOTROPY=1;var xt=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,s=1){this.x=e,this.y=t,this.z=n,this.w=s}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,s){return this.x=e,this.y=t,this.z=n,this.w=s,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw new Error("THREE.Vector4: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w!==void 0?e.w:1,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=this.w,o=e.elements;return this.x=o[0]*t+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*t+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*t+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*t+o[7]*n+o[11]*s+o[15]*r,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,s,r,l=e.elements,c=l[0],h=l[4],u=l[8],d=l[1],p=l[5],f=l[9],y=l[2],m=l[6],g=l[10];if(Math.abs(h-d)<.01&&Math.abs(u-y)<.01&&Math.abs(f-m)<.01){if(Math.abs(h+d)<.1&&Math.abs(u+y)<.1&&Math.abs(f+m)<.1&&Math.abs(c+p+g-3)<.1)return this.set(1,0,0,0),this;t=Math.PI;let C=(c+1)/2,S=(p+1)/2,R=(g+1)/2,E=(h+d)/4,_=(u+y)/4,A=(f+m)/4;return C>S&&C>R?C<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(C),s=E/n,r=_/n):S>R?S<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),n=E/s,r=A/s):R<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(R),n=_/r,s=A/r),this.set(n,s,r,t),this}let b=Math.sqrt((m-f)*(m-f)+(u-y)*(u-y)+(d-h)*(d-h));return Math.abs(b)<.001&&(b=1),this.x=(m-f)/b,this.y=(u-y)/b,this.z=(d-h)/b,this.w=Math.acos((c+p+g-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=Mt(this.x,e.x,t.x),this.y=Mt(this.y,e.y,t.y),this.z=Mt(this.z,e.z,t.z),this.w=Mt(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=Mt(this.x,e,t),this.y=Mt(this.y,e,t),this.z=Mt(this.z,e,t),this.w=Mt(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(Mt(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Lh=class extends ds{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:vn,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new xt(0,0,e,t),this.scissorTest=!1,this.viewport=new xt(0,0,e,t),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new ri({width:e,height:t,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:vn,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=e,this.textures[s].image.height=t,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let s=Object.assign({},e.textures[t].image);this.textures[t].source=new ea(s)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null)if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture;else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},Xn=class extends Lh{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},_l=class extends ri{constructor(e=null,t=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=An,this.minFilter=An,this.wrapR=us,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}};var ta=class extends ri{constructor(e=null,t=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=An,this.minFilter=An,this.wrapR=us,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}};var He=class i{static{this.prototype.isMatrix4=!0}constructor(e,t,n,s,r,o,a,l,c,h,u,d,p,f,y,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,l,c,h,u,d,p,f,y,m)}set(e,t,n,s,r,o,a,l,c,h,u,d,p,f,y,m){let g=this.elements;return g[0]=e,g[4]=t,g[8]=n,g[12]=s,g[1]=r,g[5]=o,g[9]=a,g[13]=l,g[2]=c,g[6]=h,g[10]=u,g[14]=d,g[3]=p,g[7]=f,g[11]=y,g[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,s=1/Do.setFromMatrixColumn(e,0).length(),r=1/Do.setFromMatrixColumn(e,1).length(),o=1/Do.setFromMatrixColumn(e,2).length();return t[0]=n[0]*s,t[1]=n[1]*s,t[2]=n[2]*s,t[3]=0,t[4]=n[4]*r,t[5]=n[5]*r,t[6]=n[6]*r,t[7]=0,t[8]=n[8]*o,t[9]=n[9]*o,t[10]=n[10]*o,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,s=e.y,r=e.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(e.order==="XYZ"){let d=o*h,p=o*u,f=a*h,y=a*u;t[0]=l*h,t[4]=-l*u,t[8]=c,t[1]=p+f*c,t[5]=d-y*c,t[9]=-a*l,t[2]=y-d*c,t[6]=f+p*c,t[10]=o*l}else if(e.order==="YXZ"){let d=l*h,p=l*u,f=c*h,y=c*u;t[0]=d+y*a,t[4]=f*a-p,t[8]=o*c,t[1]=o*u,t[5]=o*h,t[9]=-a,t[2]=p*a-f,t[6]=y+d*a,t[10]=o*l}else if(e.order==="ZXY"){let d=l*h,p=l*u,f=c*h,y=c*u;t[0]=d-y*a,t[4]=-o*u,t[8]=f+p*a,t[1]=p+f*a,t[5]=o*h,t[9]=y-d*a,t[2]=-o*c,t[6]=a,t[10]=o*l}else if(e.order==="ZYX"){let d=o*h,p=o*u,f=a*h,y=a*u;t[0]=l*h,t[4]=f*c-p,t[8]=d*c+y,t[1]=l*u,t[5]=y*c+d,t[9]=p*c-f,t[2]=-c,t[6]=a*l,t[10]=o*l}else if(e.order==="YZX"){let d=o*l,p=o*c,f=a*l,y=a*c;t[0]=l*h,t[4]=y-d*u,t[8]=f*u+p,t[1]=u,t[5]=o*h,t[9]=-a*h,t[2]=-c*h,t[6]=p*u+f,t[10]=d-y*u}else if(e.order==="XZY"){let d=o*l,p=o*c,f=a*l,y=a*c;t[0]=l*h,t[4]=-u,t[8]=c*h,t[1]=d*u+y,t[5]=o*h,t[9]=p*u-f,t[2]=f*u-p,t[6]=a*h,t[10]=y*u+d}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(WS,e,qS)}lookAt(e,t,n){let s=this.elements;return Mi.subVectors(e,t),Mi.lengthSq()===0&&(Mi.z=1),Mi.normalize(),lr.crossVectors(n,Mi),lr.lengthSq()===0&&(Math.abs(n.z)===1?Mi.x+=1e-4:Mi.z+=1e-4,Mi.normalize(),lr.crossVectors(n,Mi)),lr.normalize(),Wc.crossVectors(Mi,lr),s[0]=lr.x,s[4]=Wc.x,s[8]=Mi.x,s[1]=lr.y,s[5]=Wc.y,s[9]=Mi.y,s[2]=lr.z,s[6]=Wc.z,s[10]=Mi.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],d=n[9],p=n[13],f=n[2],y=n[6],m=n[10],g=n[14],b=n[3],C=n[7],S=n[11],R=n[15],E=s[0],_=s[4],A=s[8],B=s[12],N=s[1],I=s[5],z=s[9],H=s[13],D=s[2],W=s[6],Y=s[10],G=s[14],ce=s[3],J=s[7],Q=s[11],se=s[15];return r[0]=o*E+a*N+l*D+c*ce,r[4]=o*_+a*I+l*W+c*J,r[8]=o*A+a*z+l*Y+c*Q,r[12]=o*B+a*H+l*G+c*se,r[1]=h*E+u*N+d*D+p*ce,r[5]=h*_+u*I+d*W+p*J,r[9]=h*A+u*z+d*Y+p*Q,r[13]=h*B+u*H+d*G+p*se,r[2]=f*E+y*N+m*D+g*ce,r[6]=f*_+y*I+m*W+g*J,r[10]=f*A+y*z+m*Y+g*Q,r[14]=f*B+y*H+m*G+g*se,r[3]=b*E+C*N+S*D+R*ce,r[7]=b*_+C*I+S*W+R*J,r[11]=b*A+C*z+S*Y+R*Q,r[15]=b*B+C*H+S*G+R*se,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[12],o=e[1],a=e[5],l=e[9],c=e[13],h=e[2],u=e[6],d=e[10],p=e[14],f=e[3],y=e[7],m=e[11],g=e[15],b=l*p-c*d,C=a*p-c*u,S=a*d-l*u,R=o*p-c*h,E=o*d-l*h,_=o*u-a*h;return t*(y*b-m*C+g*S)-n*(f*b-m*R+g*E)+s*(f*C-y*R+g*_)-r*(f*S-y*E+m*_)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[1],o=e[5],a=e[9],l=e[2],c=e[6],h=e[10];return t*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let s=this.elements;return e.isVector3?(s[12]=e.x,s[13]=e.y,s[14]=e.z):(s[12]=e,s[13]=t,s[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8],u=e[9],d=e[10],p=e[11],f=e[12],y=e[13],m=e[14],g=e[15],b=t*a-n*o,C=t*l-s*o,S=t*c-r*o,R=n*l-s*a,E=n*c-r*a,_=s*c-r*l,A=h*y-u*f,B=h*m-d*f,N=h*g-p*f,I=u*m-d*y,z=u*g-p*y,H=d*g-p*m,D=b*H-C*z+S*I+R*N-E*B+_*A;if(D===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let W=1/D;return e[0]=(a*H-l*z+c*I)*W,e[1]=(s*z-n*H-r*I)*W,e[2]=(y*_-m*E+g*R)*W,e[3]=(d*E-u*_-p*R)*W,e[4]=(l*N-o*H-c*B)*W,e[5]=(t*H-s*N+r*B)*W,e[6]=(m*S-f*_-g*C)*W,e[7]=(h*_-d*S+p*C)*W,e[8]=(o*z-a*N+c*A)*W,e[9]=(n*N-t*z-r*A)*W,e[10]=(f*E-y*S+g*b)*W,e[11]=(u*S-h*E-p*b)*W,e[12]=(a*B-o*I-l*A)*W,e[13]=(t*I-n*B+s*A)*W,e[14]=(y*C-f*R-m*b)*W,e[15]=(h*R-u*C+d*b)*W,this}scale(e){let t=this.elements,n=e.x,s=e.y,r=e.z;return t[0]*=n,t[4]*=s,t[8]*=r,t[1]*=n,t[5]*=s,t[9]*=r,t[2]*=n,t[6]*=s,t[10]*=r,t[3]*=n,t[7]*=s,t[11]*=r,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],s=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,s))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),s=Math.sin(t),r=1-n,o=e.x,a=e.y,l=e.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,s,r,o){return this.set(1,n,r,0,e,1,o,0,t,s,1,0,0,0,0,1),this}compose(e,t,n){let s=this.elements,r=t._x,o=t._y,a=t._z,l=t._w,c=r+r,h=o+o,u=a+a,d=r*c,p=r*h,f=r*u,y=o*h,m=o*u,g=a*u,b=l*c,C=l*h,S=l*u,R=n.x,E=n.y,_=n.z;return s[0]=(1-(y+g))*R,s[1]=(p+S)*R,s[2]=(f-C)*R,s[3]=0,s[4]=(p-S)*E,s[5]=(1-(d+g))*E,s[6]=(m+b)*E,s[7]=0,s[8]=(f+C)*_,s[9]=(m-b)*_,s[10]=(1-(d+y))*_,s[11]=0,s[12]=e.x,s[13]=e.y,s[14]=e.z,s[15]=1,this}decompose(e,t,n){let s=this.elements;e.x=s[12],e.y=s[13],e.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),t.identity(),this;let o=Do.set(s[0],s[1],s[2]).length(),a=Do.set(s[4],s[5],s[6]).length(),l=Do.set(s[8],s[9],s[10]).length();r<0&&(o=-o),qi.copy(this);let c=1/o,h=1/a,u=1/l;return qi.elements[0]*=c,qi.elements[1]*=c,qi.elements[2]*=c,qi.elements[4]*=h,qi.elements[5]*=h,qi.elements[6]*=h,qi.elements[8]*=u,qi.elements[9]*=u,qi.elements[10]*=u,t.setFromRotationMatrix(qi),n.x=o,n.y=a,n.z=l,this}makePerspective(e,t,n,s,r,o,a=ki,l=!1){let c=this.elements,h=2*r/(t-e),u=2*r/(n-s),d=(t+e)/(t-e),p=(n+s)/(n-s),f,y;if(l)f=r/(o-r),y=o*r/(o-r);else if(a===ki)f=-(o+r)/(o-r),y=-2*o*r/(o-r);else if(a===ml)f=-o/(o-r),y=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=p,c[13]=0,c[2]=0,c[6]=0,c[10]=f,c[14]=y,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,s,r,o,a=ki,l=!1){let c=this.elements,h=2/(t-e),u=2/(n-s),d=-(t+e)/(t-e),p=-(n+s)/(n-s),f,y;if(l)f=1/(o-r),y=o/(o-r);else if(a===ki)f=-2/(o-r),y=-(o+r)/(o-r);else if(a===ml)f=-1/(o-r),y=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=p,c[2]=0,c[6]=0,c[10]=f,c[14]=y,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<16;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},Do=new F,qi=new He,WS=new F(0,0,0),qS=new F(1,1,1),lr=new F,Wc=new F,Mi=new F,h_=new He,u_=new Lt,pr=class i{constructor(e=0,t=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=e,this._y=t,this._z=n,this._order=s}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,s=this._order){return this._x=e,this._y=t,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let s=e.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],d=s[6],p=s[10];switch(t){case"XYZ":this._y=Math.asin(Mt(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,p),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,c),this._z=0);break;case"YXZ":this._x=Math.asin(-Mt(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,p),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(Mt(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,p),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-Mt(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,p),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(Mt(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,p));break;case"XZY":this._z=Math.asin(-Mt(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,p),this._y=0);break;default:Xe("Euler: .setFromRotationMatrix() encountered an unknown order: "+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return h_.makeRotationFromQuaternion(e),this.setFromRotationMatrix(h_,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return u_.setFromEuler(this),this.setFromQuaternion(u_,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};pr.DEFAULT_ORDER="XYZ";var yl=class{constructor(){this.mask=1}set(e){this.mask=(1<<e|0)>>>0}enable(e){this.mask|=1<<e|0}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e|0}disable(e){this.mask&=~(1<<e|0)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return(this.mask&(1<<e|0))!==0}},XS=0,d_=new F,No=new Lt,Ls=new He,qc=new F,el=new F,$S=new F,YS=new Lt,p_=new F(1,0,0),f_=new F(0,1,0),m_=new F(0,0,1),g_={type:"added"},KS={type:"removed"},Fo={type:"childadded",child:null},Mf={type:"childremoved",child:null},Vn=class i extends ds{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:XS++}),this.uuid=wr(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let e=new F,t=new pr,n=new Lt,s=new F(1,1,1);function r(){n.setFromEuler(t,!1)}function o(){t.setFromQuaternion(n,void 0,!1)}t._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:e},rotation:{configurable:!0,enumerable:!0,value:t},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new He},normalMatrix:{value:new et}}),this.matrix=new He,this.matrixWorld=new He,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new yl,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return No.setFromAxisAngle(e,t),this.quaternion.multiply(No),this}rotateOnWorldAxis(e,t){return No.setFromAxisAngle(e,t),this.quaternion.premultiply(No),this}rotateX(e){return this.rotateOnAxis(p_,e)}rotateY(e){return this.rotateOnAxis(f_,e)}rotateZ(e){return this.rotateOnAxis(m_,e)}translateOnAxis(e,t){return d_.copy(e).applyQuaternion(this.quaternion),this.position.add(d_.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(p_,e)}translateY(e){return this.translateOnAxis(f_,e)}translateZ(e){return this.translateOnAxis(m_,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(Ls.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?qc.copy(e):qc.set(e,t,n);let s=this.parent;this.updateWorldMatrix(!0,!1),el.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?Ls.lookAt(el,qc,this.up):Ls.lookAt(qc,el,this.up),this.quaternion.setFromRotationMatrix(Ls),s&&(Ls.extractRotation(s.matrixWorld),No.setFromRotationMatrix(Ls),this.quaternion.premultiply(No.invert()))}add(e){if(arguments.length>1){for(let t=0;t<arguments.length;t++)this.add(arguments[t]);return this}return e===this?(Ze("Object3D.add: object can't be added as a child of itself.",e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(g_),Fo.child=e,this.dispatchEvent(Fo),Fo.child=null):Ze("Object3D.add: object not an instance of THREE.Object3D.",e),this)}remove(e){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(KS),Mf.child=e,this.dispatchEvent(Mf),Mf.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),Ls.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),Ls.multiply(e.parent.matrixWorld)),e.applyMatrix4(Ls),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(g_),Fo.child=e,this.dispatchEvent(Fo),Fo.child=null,this}getObjectById(e){return this.getObjectByProperty("id",e)}getObjectByName(e){return this.getObjectByProperty("name",e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(e,t);if(o!==void 0)return o}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(el,e,$S),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(el,YS,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,s=e.z,r=this.matrix.elements;r[12]+=t-r[0]*t-r[4]*n-r[8]*s,r[13]+=n-r[1]*t-r[5]*n-r[9]*s,r[14]+=s-r[2]*t-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let s=this.parent;if(e===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e=="string",n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(e),s.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(e)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(e.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(e.shapes,u)}else r(e.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(e.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(e.materials,this.material[l]));s.material=a}else s.material=r(e.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(e).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(e.animations,l))}}if(t){let a=o(e.geometries),l=o(e.materials),c=o(e.textures),h=o(e.images),u=o(e.shapes),d=o(e.skeletons),p=o(e.animations),f=o(e.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),d.length>0&&(n.skeletons=d),p.length>0&&(n.animations=p),f.length>0&&(n.nodes=f)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot!==null?e.pivot.clone():null,this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let n=0;n<e.children.length;n++){let s=e.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};Vn.DEFAULT_UP=new F(0,1,0);Vn.DEFAULT_MATRIX_AUTO_UPDATE=!0;Vn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Ai=class extends Vn{constructor(){super(),this.isGroup=!0,this.type="Group"}},jS={type:"move"},na=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new Ai,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new Ai,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new F,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new F),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new Ai,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new F,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new F,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:"connected",data:e}),this}disconnect(e){return this.dispatchEvent({type:"disconnected",data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(e&&t.session.visibilityState!=="visible-blurred"){if(c&&e.hand){o=!0;for(let y of e.hand.values()){let m=t.getJointPose(y,n),g=this._getHandJoint(c,y);m!==null&&(g.matrix.fromArray(m.transform.matrix),g.matrix.decompose(g.position,g.quaternion,g.scale),g.matrixWorldNeedsUpdate=!0,g.jointRadius=m.radius),g.visible=m!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],d=h.position.distanceTo(u.position),p=.02,f=.005;c.inputState.pinching&&d>p+f?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:e.handedness,target:this})):!c.inputState.pinching&&d<=p-f&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:e.handedness,target:this}))}else l!==null&&e.gripSpace&&(r=t.getPose(e.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:e,target:this})));a!==null&&(s=t.getPose(e.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(jS)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new Ai;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},Py={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},cr={h:0,s:0,l:0},Xc={h:0,s:0,l:0};function Sf(i,e,t){return t<0&&(t+=1),t>1&&(t-=1),t<1/6?i+(e-i)*6*t:t<1/2?e:t<2/3?i+(e-i)*6*(2/3-t):i}var lt=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let s=e;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=an){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,bt.colorSpaceToWorking(this,t),this}setRGB(e,t,n,s=bt.workingColorSpace){return this.r=e,this.g=t,this.b=n,bt.colorSpaceToWorking(this,s),this}setHSL(e,t,n,s=bt.workingColorSpace){if(e=zS(e,1),t=Mt(t,0,1),n=Mt(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,o=2*n-r;this.r=Sf(o,r,e+1/3),this.g=Sf(o,r,e),this.b=Sf(o,r,e-1/3)}return bt.colorSpaceToWorking(this,s),this}setStyle(e,t=an){function n(r){r!==void 0&&parseFloat(r)<1&&Xe("Color: Alpha component of "+e+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(e)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,t);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,t);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,t);break;default:Xe("Color: Unknown color model "+e)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(e)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,t);if(o===6)return this.setHex(parseInt(r,16),t);Xe("Color: Invalid hex color "+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=an){let n=Py[e.toLowerCase()];return n!==void 0?this.setHex(n,t):Xe("Color: Unknown color "+e),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=Os(e.r),this.g=Os(e.g),this.b=Os(e.b),this}copyLinearToSRGB(e){return this.r=jo(e.r),this.g=jo(e.g),this.b=jo(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=an){return bt.workingToColorSpace(jn.copy(this),e),Math.round(Mt(jn.r*255,0,255))*65536+Math.round(Mt(jn.g*255,0,255))*256+Math.round(Mt(jn.b*255,0,255))}getHexString(e=an){return("000000"+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=bt.workingColorSpace){bt.workingToColorSpace(jn.copy(this),t);let n=jn.r,s=jn.g,r=jn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return e.h=l,e.s=c,e.l=h,e}getRGB(e,t=bt.workingColorSpace){return bt.workingToColorSpace(jn.copy(this),t),e.r=jn.r,e.g=jn.g,e.b=jn.b,e}getStyle(e=an){bt.workingToColorSpace(jn.copy(this),e);let t=jn.r,n=jn.g,s=jn.b;return e!==an?`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(e,t,n){return this.getHSL(cr),this.setHSL(cr.h+e,cr.s+t,cr.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(cr),e.getHSL(Xc);let n=_f(cr.h,Xc.h,t),s=_f(cr.s,Xc.s,t),r=_f(cr.l,Xc.l,t);return this.setHSL(n,s,r),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,s=this.b,r=e.elements;return this.r=r[0]*t+r[3]*n+r[6]*s,this.g=r[1]*t+r[4]*n+r[7]*s,this.b=r[2]*t+r[5]*n+r[8]*s,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},jn=new lt;lt.NAMES=Py;var Vr=class extends Vn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new pr,this.environmentIntensity=1,this.environmentRotation=new pr,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background!==null?e.background.clone():null,this.environment=e.environment!==null?e.environment.clone():null,this.fog=e.fog!==null?e.fog.clone():null,this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial!==null?e.overrideMaterial.clone():null,this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},Xi=new F,Ds=new F,Af=new F,Ns=new F,ko=new F,Uo=new F,v_=new F,Ef=new F,Tf=new F,Cf=new F,Pf=new xt,Rf=new xt,If=new xt,Us=class i{constructor(e=new F,t=new F,n=new F){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,s){s.subVectors(n,t),Xi.subVectors(e,t),s.cross(Xi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(e,t,n,s,r){Xi.subVectors(s,t),Ds.subVectors(n,t),Af.subVectors(e,t);let o=Xi.dot(Xi),a=Xi.dot(Ds),l=Xi.dot(Af),c=Ds.dot(Ds),h=Ds.dot(Af),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let d=1/u,p=(c*l-a*h)*d,f=(o*h-a*l)*d;return r.set(1-p-f,f,p)}static containsPoint(e,t,n,s){return this.getBarycoord(e,t,n,s,Ns)===null?!1:Ns.x>=0&&Ns.y>=0&&Ns.x+Ns.y<=1}static getInterpolation(e,t,n,s,r,o,a,l){return this.getBarycoord(e,t,n,s,Ns)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,Ns.x),l.addScaledVector(o,Ns.y),l.addScaledVector(a,Ns.z),l)}static getInterpolatedAttribute(e,t,n,s,r,o){return Pf.setScalar(0),Rf.setScalar(0),If.setScalar(0),Pf.fromBufferAttribute(e,t),Rf.fromBufferAttribute(e,n),If.fromBufferAttribute(e,s),o.setScalar(0),o.addScaledVector(Pf,r.x),o.addScaledVector(Rf,r.y),o.addScaledVector(If,r.z),o}static isFrontFacing(e,t,n,s){return Xi.subVectors(n,t),Ds.subVectors(e,t),Xi.cross(Ds).dot(s)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,s){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[s]),this}setFromAttributeAndIndices(e,t,n,s){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,s),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return Xi.subVectors(this.c,this.b),Ds.subVectors(this.a,this.b),Xi.cross(Ds).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(e){return i.getNormal(this.a,this.b,this.c,e)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(e,t){return i.getBarycoord(e,this.a,this.b,this.c,t)}getInterpolation(e,t,n,s,r){return i.getInterpolation(e,this.a,this.b,this.c,t,n,s,r)}containsPoint(e){return i.containsPoint(e,this.a,this.b,this.c)}isFrontFacing(e){return i.isFrontFacing(this.a,this.b,this.c,e)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,s=this.b,r=this.c,o,a;ko.subVectors(s,n),Uo.subVectors(r,n),Ef.subVectors(e,n);let l=ko.dot(Ef),c=Uo.dot(Ef);if(l<=0&&c<=0)return t.copy(n);Tf.subVectors(e,s);let h=ko.dot(Tf),u=Uo.dot(Tf);if(h>=0&&u<=h)return t.copy(s);let d=l*u-h*c;if(d<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),t.copy(n).addScaledVector(ko,o);Cf.subVectors(e,r);let p=ko.dot(Cf),f=Uo.dot(Cf);if(f>=0&&p<=f)return t.copy(r);let y=p*c-l*f;if(y<=0&&c>=0&&f<=0)return a=c/(c-f),t.copy(n).addScaledVector(Uo,a);let m=h*f-p*u;if(m<=0&&u-h>=0&&p-f>=0)return v_.subVectors(r,s),a=(u-h)/(u-h+(p-f)),t.copy(s).addScaledVector(v_,a);let g=1/(m+y+d);return o=y*g,a=d*g,t.copy(n).addScaledVector(ko,o).addScaledVector(Uo,a)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},Ki=class{constructor(e=new F(1/0,1/0,1/0),t=new F(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint($i.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint($i.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=$i.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute("position");if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)e.isMesh===!0?e.getVertexPosition(o,$i):$i.fromBufferAttribute(r,o),$i.applyMatrix4(e.matrixWorld),this.expandByPoint($i);else e.boundingBox!==void 0?(e.boundingBox===null&&e.computeBoundingBox(),$c.copy(e.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),$c.copy(n.boundingBox)),$c.applyMatrix4(e.matrixWorld),this.union($c)}let s=e.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,$i),$i.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(tl),Yc.subVectors(this.max,tl),Oo.subVectors(e.a,tl),Bo.subVectors(e.b,tl),zo.subVectors(e.c,tl),hr.subVectors(Bo,Oo),ur.subVectors(zo,Bo),Ur.subVectors(Oo,zo);let t=[0,-hr.z,hr.y,0,-ur.z,ur.y,0,-Ur.z,Ur.y,hr.z,0,-hr.x,ur.z,0,-ur.x,Ur.z,0,-Ur.x,-hr.y,hr.x,0,-ur.y,ur.x,0,-Ur.y,Ur.x,0];return!Lf(t,Oo,Bo,zo,Yc)||(t=[1,0,0,0,1,0,0,0,1],!Lf(t,Oo,Bo,zo,Yc))?!1:(Kc.crossVectors(hr,ur),t=[Kc.x,Kc.y,Kc.z],Lf(t,Oo,Bo,zo,Yc))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,$i).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize($i).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()?this:(Fs[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),Fs[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),Fs[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),Fs[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),Fs[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),Fs[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),Fs[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),Fs[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(Fs),this)}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},Fs=[new F,new F,new F,new F,new F,new F,new F,new F],$i=new F,$c=new Ki,Oo=new F,Bo=new F,zo=new F,hr=new F,ur=new F,Ur=new F,tl=new F,Yc=new F,Kc=new F,Or=new F;function Lf(i,e,t,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){Or.fromArray(i,r);let a=s.x*Math.abs(Or.x)+s.y*Math.abs(Or.y)+s.z*Math.abs(Or.z),l=e.dot(Or),c=t.dot(Or),h=n.dot(Or);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var Sn=new F,jc=new ct,JS=0,ot=class extends ds{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:JS++}),this.name="",this.array=e,this.itemSize=t,this.count=e!==void 0?e.length/t:0,this.normalized=n,this.usage=ym,this.updateRanges=[],this.gpuType=ci,this.version=0,this._normalizationScale=e!==void 0?ku(e):void 0}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[e+s]=t.array[n+s];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)jc.fromBufferAttribute(this,t),jc.applyMatrix3(e),this.setXY(t,jc.x,jc.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)Sn.fromBufferAttribute(this,t),Sn.applyMatrix3(e),this.setXYZ(t,Sn.x,Sn.y,Sn.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)Sn.fromBufferAttribute(this,t),Sn.applyMatrix4(e),this.setXYZ(t,Sn.x,Sn.y,Sn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Sn.fromBufferAttribute(this,t),Sn.applyNormalMatrix(e),this.setXYZ(t,Sn.x,Sn.y,Sn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Sn.fromBufferAttribute(this,t),Sn.transformDirection(e),this.setXYZ(t,Sn.x,Sn.y,Sn.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,s){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this.array[e+3]=r,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):Ty(e,this.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):Cy(e,this.array)}};var Gr=class extends ot{constructor(e,t,n){super(new Uint16Array(e),t,n)}};var bl=class extends ot{constructor(e,t,n){super(new Uint32Array(e),t,n)}};var en=class extends ot{constructor(e,t,n){super(new Float32Array(e),t,n)}},ZS=new Ki,nl=new F,Df=new F,pi=class{constructor(e=new F,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t!==void 0?n.copy(t):ZS.setFromPoints(e).getCenter(n);let s=0;for(let r=0,o=e.length;r<o;r++)s=Math.max(s,n.distanceToSquared(e[r]));return this.radius=Math.sqrt(s),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius=this.radius*e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;nl.subVectors(e,this.center);let t=nl.lengthSq();if(t>this.radius*this.radius){let n=Math.sqrt(t),s=(n-this.radius)*.5;this.center.addScaledVector(nl,s/n),this.radius+=s}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Df.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(nl.copy(e.center).add(Df)),this.expandByPoint(nl.copy(e.center).sub(Df))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},QS=0,Fi=new He,Nf=new Vn,Vo=new F,Si=new Ki,il=new Ki,zn=new F,ht=class i extends ds{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:QS++}),this.uuid=wr(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return Array.isArray(e)?this.index=new(OS(e)?bl:Gr)(e,1):this.index=e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new et().getNormalMatrix(e);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(e),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return Fi.makeRotationFromQuaternion(e),this.applyMatrix4(Fi),this}rotateX(e){return Fi.makeRotationX(e),this.applyMatrix4(Fi),this}rotateY(e){return Fi.makeRotationY(e),this.applyMatrix4(Fi),this}rotateZ(e){return Fi.makeRotationZ(e),this.applyMatrix4(Fi),this}translate(e,t,n){return Fi.makeTranslation(e,t,n),this.applyMatrix4(Fi),this}scale(e,t,n){return Fi.makeScale(e,t,n),this.applyMatrix4(Fi),this}lookAt(e){return Nf.lookAt(e),Nf.updateMatrix(),this.applyMatrix4(Nf.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Vo).negate(),this.translate(Vo.x,Vo.y,Vo.z),this}setFromPoints(e){let t=this.getAttribute("position");if(t===void 0){let n=[];for(let s=0,r=e.length;s<r;s++){let o=e[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new en(n,3))}else{let n=Math.min(e.length,t.count);for(let s=0;s<n;s++){let r=e[s];t.setXYZ(s,r.x,r.y,r.z||0)}e.length>t.count&&Xe("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new Ki);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Ze("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new F(-1/0,-1/0,-1/0),new F(1/0,1/0,1/0));return}if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let n=0,s=t.length;n<s;n++){let r=t[n];Si.setFromBufferAttribute(r),this.morphTargetsRelative?(zn.addVectors(this.boundingBox.min,Si.min),this.boundingBox.expandByPoint(zn),zn.addVectors(this.boundingBox.max,Si.max),this.boundingBox.expandByPoint(zn)):(this.boundingBox.expandByPoint(Si.min),this.boundingBox.expandByPoint(Si.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Ze('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new pi);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Ze("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new F,1/0);return}if(e){let n=this.boundingSphere.center;if(Si.setFromBufferAttribute(e),t)for(let r=0,o=t.length;r<o;r++){let a=t[r];il.setFromBufferAttribute(a),this.morphTargetsRelative?(zn.addVectors(Si.min,il.min),Si.expandByPoint(zn),zn.addVectors(Si.max,il.max),Si.expandByPoint(zn)):(Si.expandByPoint(il.min),Si.expandByPoint(il.max))}Si.getCenter(n);let s=0;for(let r=0,o=e.count;r<o;r++)zn.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(zn));if(t)for(let r=0,o=t.length;r<o;r++){let a=t[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)zn.fromBufferAttribute(a,c),l&&(Vo.fromBufferAttribute(e,c),zn.add(Vo)),s=Math.max(s,n.distanceToSquared(zn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&Ze('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){Ze("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=t.position,s=t.normal,r=t.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new ot(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let B=0;B<n.count;B++)a[B]=new F,l[B]=new F;let h=new F,u=new F,d=new F,p=new ct,f=new ct,y=new ct,m=new F,g=new F;function b(B,N,I){c[B]=c[N]=c[I]=1,h.fromBufferAttribute(n,B),u.fromBufferAttribute(n,N),d.fromBufferAttribute(n,I),p.fromBufferAttribute(r,B),f.fromBufferAttribute(r,N),y.fromBufferAttribute(r,I),u.sub(h),d.sub(h),f.sub(p),y.sub(p);let z=1/(f.x*y.y-y.x*f.y);isFinite(z)&&(m.copy(u).multiplyScalar(y.y).addScaledVector(d,-f.y).multiplyScalar(z),g.copy(d).multiplyScalar(f.x).addScaledVector(u,-y.x).multiplyScalar(z),a[B].add(m),a[N].add(m),a[I].add(m),l[B].add(g),l[N].add(g),l[I].add(g))}let C=this.groups;C.length===0&&(C=[{start:0,count:e.count}]);for(let B=0,N=C.length;B<N;++B){let I=C[B],z=I.start,H=I.count;for(let D=z,W=z+H;D<W;D+=3)b(e.getX(D+0),e.getX(D+1),e.getX(D+2))}let S=new F,R=new F,E=new F,_=new F;function A(B){E.fromBufferAttribute(s,B),_.copy(E);let N=a[B];S.copy(N),S.sub(E.multiplyScalar(E.dot(N))).normalize(),R.crossVectors(_,N);let z=R.dot(l[B])<0?-1:1;o.setXYZW(B,S.x,S.y,S.z,z)}for(let B=0,N=n.count;B<N;++B)c[B]&&A(B);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute("position");if(t!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==t.count)n=new ot(new Float32Array(t.count*3),3),this.setAttribute("normal",n);else for(let d=0,p=n.count;d<p;d++)n.setXYZ(d,0,0,0);let s=new F,r=new F,o=new F,a=new F,l=new F,c=new F,h=new F,u=new F;if(e)for(let d=0,p=e.count;d<p;d+=3){let f=e.getX(d+0),y=e.getX(d+1),m=e.getX(d+2);s.fromBufferAttribute(t,f),r.fromBufferAttribute(t,y),o.fromBufferAttribute(t,m),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,f),l.fromBufferAttribute(n,y),c.fromBufferAttribute(n,m),a.add(h),l.add(h),c.add(h),n.setXYZ(f,a.x,a.y,a.z),n.setXYZ(y,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let d=0,p=t.count;d<p;d+=3)s.fromBufferAttribute(t,d+0),r.fromBufferAttribute(t,d+1),o.fromBufferAttribute(t,d+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(d+0,h.x,h.y,h.z),n.setXYZ(d+1,h.x,h.y,h.z),n.setXYZ(d+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)zn.fromBufferAttribute(e,t),zn.normalize(),e.setXYZ(t,zn.x,zn.y,zn.z)}toNonIndexed(){function e(a,l){let c=a.array,h=a.itemSize,u=a.normalized,d=new c.constructor(l.length*h),p=0,f=0;for(let y=0,m=l.length;y<m;y++){a.isInterleavedBufferAttribute?p=l[y]*a.data.stride+a.offset:p=l[y]*h;for(let g=0;g<h;g++)d[f++]=c[p++]}return new ot(d,h,u)}if(this.index===null)return Xe("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let t=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=e(l,n);t.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let d=c[h],p=e(d,n);l.push(p)}t.morphAttributes[a]=l}t.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];t.addGroup(c.start,c.count,c.materialIndex)}return t}toJSON(){let e={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(e[c]=l[c]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let l in n){let c=n[l];e.data.attributes[l]=c.toJSON(e.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,d=c.length;u<d;u++){let p=c[u];h.push(p.toJSON(e.data))}h.length>0&&(s[l]=h,r=!0)}r&&(e.data.morphAttributes=s,e.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(e.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(e.data.boundingSphere=a.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let s=e.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(t))}let r=e.morphAttributes;for(let c in r){let h=[],u=r[c];for(let d=0,p=u.length;d<p;d++)h.push(u[d].clone(t));this.morphAttributes[c]=h}this.morphTargetsRelative=e.morphTargetsRelative;let o=e.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=e.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=e.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},xl=class{constructor(e,t){this.isInterleavedBuffer=!0,this.array=e,this.stride=t,this.count=e!==void 0?e.length/t:0,this.usage=ym,this.updateRanges=[],this.version=0,this.uuid=wr()}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.array=new e.array.constructor(e.array),this.count=e.count,this.stride=e.stride,this.usage=e.usage,this}copyAt(e,t,n){e*=this.stride,n*=t.stride;for(let s=0,r=this.stride;s<r;s++)this.array[e+s]=t.array[n+s];return this}set(e,t=0){return this.array.set(e,t),this}clone(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=__(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=this.array.slice(0).buffer);let n=new this.array.constructor(e.arrayBuffers[t]),s=new this.constructor(n,this.stride);return s.setUsage(this.usage),s}onUpload(e){return this.onUploadCallback=e,this}toJSON(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=__(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:t,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function __(i){return i.buffer._uuid===void 0&&(i.buffer._uuid=wr()),i.byteOffset===0&&i.byteLength===i.buffer.byteLength?i.buffer._uuid:i.buffer._uuid+":"+i.byteOffset+":"+i.byteLength}var si=new F,ia=class i{constructor(e,t,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=e,this.itemSize=t,this.offset=n,this.normalized=s,this._normalizationScale=e!==void 0?ku(e.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(e){this.data.needsUpdate=e}applyMatrix4(e){for(let t=0,n=this.data.count;t<n;t++)si.fromBufferAttribute(this,t),si.applyMatrix4(e),this.setXYZ(t,si.x,si.y,si.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)si.fromBufferAttribute(this,t),si.applyNormalMatrix(e),this.setXYZ(t,si.x,si.y,si.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)si.fromBufferAttribute(this,t),si.transformDirection(e),this.setXYZ(t,si.x,si.y,si.z);return this}getComponent(e,t){let n=this.array[e*this.data.stride+this.offset+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.data.array[e*this.data.stride+this.offset+t]=n,this}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset]=t,this}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+1]=t,this}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+2]=t,this}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+3]=t,this}getX(e){let t=this.data.array[e*this.data.stride+this.offset];return this.normalized&&(t=this._denormalize(t)),t}getY(e){let t=this.data.array[e*this.data.stride+this.offset+1];return this.normalized&&(t=this._denormalize(t)),t}getZ(e){let t=this.data.array[e*this.data.stride+this.offset+2];return this.normalized&&(t=this._denormalize(t)),t}getW(e){let t=this.data.array[e*this.data.stride+this.offset+3];return this.normalized&&(t=this._denormalize(t)),t}setXY(e,t,n){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.data.array[e+0]=t,this.data.array[e+1]=n,this}setXYZ(e,t,n,s){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this.data.array[e+3]=r,this}clone(e){if(e===void 0){vl("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return new ot(new this.array.constructor(t),this.itemSize,this.normalized)}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.clone(e)),new i(e.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(e){if(e===void 0){vl("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:t,normalized:this.normalized}}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.toJSON(e)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):Ty(e,this.data.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):Cy(e,this.data.array)}},Ff=new F,e1=new F,t1=new et,Yi=class{constructor(e=new F(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,s){return this.normal.set(e,t,n),this.constant=s,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let s=Ff.subVectors(n,t).cross(e1.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(s,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let s=e.delta(Ff),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let o=-(e.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:t.copy(e.start).addScaledVector(s,o)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||t1.getNormalMatrix(e),s=this.coplanarPoint(Ff).applyMatrix4(e),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},n1=0,ps=class extends ds{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:n1++}),this.uuid=wr(),this.name="",this.type="Material",this.blending=ua,this.side=br,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Qf,this.blendDst=em,this.blendEquation=Yr,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new lt(0,0,0),this.blendAlpha=0,this.depthFunc=Jo,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=gy,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=bh,this.stencilZFail=bh,this.stencilZPass=bh,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){Xe(`Material: parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){Xe(`Material: '${t}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(t){let r=s(e.textures),o=s(e.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new lt().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(n=>new Yi().fromJSON(n))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(typeof e.vertexColors=="number"?this.vertexColors=e.vertexColors>0:this.vertexColors=e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let n=e.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new ct().fromArray(n)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new ct().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let s=t.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(e){e===!0&&this.version++}},sa=class extends ps{constructor(e){super(),this.isSpriteMaterial=!0,this.type="SpriteMaterial",this.color=new lt(16777215),this.map=null,this.alphaMap=null,this.rotation=0,this.sizeAttenuation=!0,this.transparent=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.rotation=e.rotation,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},Go,sl=new F,Ho=new F,Wo=new F,qo=new ct,rl=new ct,Ry=new He,Jc=new F,ol=new F,Zc=new F,y_=new ct,kf=new ct,b_=new ct,wl=class extends Vn{constructor(e=new sa){if(super(),this.isSprite=!0,this.type="Sprite",Go===void 0){Go=new ht;let t=new Float32Array([-.5,-.5,0,0,0,.5,-.5,0,1,0,.5,.5,0,1,1,-.5,.5,0,0,1]),n=new xl(t,5);Go.setIndex([0,1,2,0,2,3]),Go.setAttribute("position",new ia(n,3,0,!1)),Go.setAttribute("uv",new ia(n,2,3,!1))}this.geometry=Go,this.material=e,this.center=new ct(.5,.5),this.count=1}intersectsFrustum(e){return e.intersectsSprite(this)}raycast(e,t){e.camera===null&&Ze('Sprite: "Raycaster.camera" needs to be set in order to raycast against sprites.'),Ho.setFromMatrixScale(this.matrixWorld),Ry.copy(e.camera.matrixWorld),this.modelViewMatrix.multiplyMatrices(e.camera.matrixWorldInverse,this.matrixWorld),Wo.setFromMatrixPosition(this.modelViewMatrix),e.camera.isPerspectiveCamera&&this.material.sizeAttenuation===!1&&Ho.multiplyScalar(-Wo.z);let n=this.material.rotation,s,r;n!==0&&(r=Math.cos(n),s=Math.sin(n));let o=this.center;Qc(Jc.set(-.5,-.5,0),Wo,o,Ho,s,r),Qc(ol.set(.5,-.5,0),Wo,o,Ho,s,r),Qc(Zc.set(.5,.5,0),Wo,o,Ho,s,r),y_.set(0,0),kf.set(1,0),b_.set(1,1);let a=e.ray.intersectTriangle(Jc,ol,Zc,!1,sl);if(a===null&&(Qc(ol.set(-.5,.5,0),Wo,o,Ho,s,r),kf.set(0,1),a=e.ray.intersectTriangle(Jc,Zc,ol,!1,sl),a===null))return;let l=e.ray.origin.distanceTo(sl);l<e.near||l>e.far||t.push({distance:l,point:sl.clone(),uv:Us.getInterpolation(sl,Jc,ol,Zc,y_,kf,b_,new ct),face:null,object:this})}copy(e,t){return super.copy(e,t),e.center!==void 0&&this.center.copy(e.center),this.material=e.material,this}toJSON(e){let t=super.toJSON(e);return t.object.center=this.center.toArray(),t}};function Qc(i,e,t,n,s,r){qo.subVectors(i,t).addScalar(.5).multiply(n),s!==void 0?(rl.x=r*qo.x-s*qo.y,rl.y=s*qo.x+r*qo.y):rl.copy(qo),i.copy(e),i.x+=rl.x,i.y+=rl.y,i.applyMatrix4(Ry)}var ks=new F,Uf=new F,eh=new F,th=new F,Hr=class{constructor(e=new F,t=new F(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,ks)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=ks.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(ks.copy(this.origin).addScaledVector(this.direction,t),ks.distanceToSquared(e))}distanceSqToSegment(e,t,n,s){Uf.copy(e).add(t).multiplyScalar(.5),eh.copy(t).sub(e).normalize(),th.copy(this.origin).sub(Uf);let r=e.distanceTo(t)*.5,o=-this.direction.dot(eh),a=th.dot(this.direction),l=-th.dot(eh),c=th.lengthSq(),h=Math.abs(1-o*o),u,d,p,f;if(h>0)if(u=o*l-a,d=o*a-l,f=r*h,u>=0)if(d>=-f)if(d<=f){let y=1/h;u*=y,d*=y,p=u*(u+o*d+2*a)+d*(o*u+d+2*l)+c}else d=r,u=Math.max(0,-(o*d+a)),p=-u*u+d*(d+2*l)+c;else d=-r,u=Math.max(0,-(o*d+a)),p=-u*u+d*(d+2*l)+c;else d<=-f?(u=Math.max(0,-(-o*r+a)),d=u>0?-r:Math.min(Math.max(-r,-l),r),p=-u*u+d*(d+2*l)+c):d<=f?(u=0,d=Math.min(Math.max(-r,-l),r),p=d*(d+2*l)+c):(u=Math.max(0,-(o*r+a)),d=u>0?r:Math.min(Math.max(-r,-l),r),p=-u*u+d*(d+2*l)+c);else d=o>0?-r:r,u=Math.max(0,-(o*d+a)),p=-u*u+d*(d+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(Uf).addScaledVector(eh,d),p}intersectSphere(e,t){if(e.radius<0)return null;ks.subVectors(e.center,this.origin);let n=ks.dot(this.direction),s=ks.dot(ks)-n*n,r=e.radius*e.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,t):this.at(a,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,s=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,s=(e.min.x-d.x)*c),h>=0?(r=(e.min.y-d.y)*h,o=(e.max.y-d.y)*h):(r=(e.max.y-d.y)*h,o=(e.min.y-d.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(e.min.z-d.z)*u,l=(e.max.z-d.z)*u):(a=(e.max.z-d.z)*u,l=(e.min.z-d.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,t)}intersectsBox(e){return this.intersectBox(e,ks)!==null}intersectTriangle(e,t,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=e.x-o.x,d=e.y-o.y,p=e.z-o.z,f=t.x-o.x,y=t.y-o.y,m=t.z-o.z,g=n.x-o.x,b=n.y-o.y,C=n.z-o.z,S=Math.abs(l),R=Math.abs(c),E=Math.abs(h),_,A,B,N,I,z,H,D,W,Y,G,ce;if(S>=R&&S>=E?(B=l,z=u,W=f,ce=g,l>=0?(_=c,A=h,N=d,I=p,H=y,D=m,Y=b,G=C):(_=h,A=c,N=p,I=d,H=m,D=y,Y=C,G=b)):R>=E?(B=c,z=d,W=y,ce=b,c>=0?(_=h,A=l,N=p,I=u,H=m,D=f,Y=C,G=g):(_=l,A=h,N=u,I=p,H=f,D=m,Y=g,G=C)):(B=h,z=p,W=m,ce=C,h>=0?(_=l,A=c,N=u,I=d,H=f,D=y,Y=g,G=b):(_=c,A=l,N=d,I=u,H=y,D=f,Y=b,G=g)),B===0)return null;let J=_/B,Q=A/B,se=1/B,de=N-J*z,ue=I-Q*z,ee=H-J*W,me=D-Q*W,_e=Y-J*ce,Te=G-Q*ce,we=_e*me-Te*ee,We=de*Te-ue*_e,st=ee*ue-me*de;if(s){if(we<0||We<0||st<0)return null}else if((we<0||We<0||st<0)&&(we>0||We>0||st>0))return null;let Ve=we+We+st;if(Ve===0)return null;let ft=se*(we*z+We*W+st*ce);return(Ve>0?ft<0:ft>0)?null:this.at(ft/Ve,r)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},fi=class extends ps{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new lt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new pr,this.combine=tm,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},x_=new He,Br=new Hr,nh=new pi,w_=new F,ih=new F,sh=new F,rh=new F,Of=new F,oh=new F,M_=new F,ah=new F,qt=class extends Vn{constructor(e=new ht,t=new fi){super(),this.isMesh=!0,this.type="Mesh",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(e,t){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;t.fromBufferAttribute(s,e);let a=this.morphTargetInfluences;if(r&&a){oh.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(Of.fromBufferAttribute(u,e),o?oh.addScaledVector(Of,h):oh.addScaledVector(Of.sub(t),h))}t.add(oh)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),nh.copy(n.boundingSphere),nh.applyMatrix4(r),Br.copy(e.ray).recast(e.near),!(nh.containsPoint(Br.origin)===!1&&(Br.intersectSphere(nh,w_)===null||Br.origin.distanceToSquared(w_)>(e.far-e.near)**2))&&(x_.copy(r).invert(),Br.copy(e.ray).applyMatrix4(x_),!(n.boundingBox!==null&&Br.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(e,t,Br)))}_computeIntersections(e,t,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,d=r.groups,p=r.drawRange;if(a!==null)if(Array.isArray(o))for(let f=0,y=d.length;f<y;f++){let m=d[f],g=o[m.materialIndex],b=Math.max(m.start,p.start),C=Math.min(a.count,Math.min(m.start+m.count,p.start+p.count));for(let S=b,R=C;S<R;S+=3){let E=a.getX(S),_=a.getX(S+1),A=a.getX(S+2);s=lh(this,g,e,n,c,h,u,E,_,A),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let f=Math.max(0,p.start),y=Math.min(a.count,p.start+p.count);for(let m=f,g=y;m<g;m+=3){let b=a.getX(m),C=a.getX(m+1),S=a.getX(m+2);s=lh(this,o,e,n,c,h,u,b,C,S),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let f=0,y=d.length;f<y;f++){let m=d[f],g=o[m.materialIndex],b=Math.max(m.start,p.start),C=Math.min(l.count,Math.min(m.start+m.count,p.start+p.count));for(let S=b,R=C;S<R;S+=3){let E=S,_=S+1,A=S+2;s=lh(this,g,e,n,c,h,u,E,_,A),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,t.push(s))}}else{let f=Math.max(0,p.start),y=Math.min(l.count,p.start+p.count);for(let m=f,g=y;m<g;m+=3){let b=m,C=m+1,S=m+2;s=lh(this,o,e,n,c,h,u,b,C,S),s&&(s.faceIndex=Math.floor(m/3),t.push(s))}}}};function i1(i,e,t,n,s,r,o,a){let l;if(e.side===ai?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,e.side===br,a),l===null)return null;ah.copy(a),ah.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(ah);return c<t.near||c>t.far?null:{distance:c,point:ah.clone(),object:i}}function lh(i,e,t,n,s,r,o,a,l,c){i.getVertexPosition(a,ih),i.getVertexPosition(l,sh),i.getVertexPosition(c,rh);let h=i1(i,e,t,n,ih,sh,rh,M_);if(h){let u=new F;Us.getBarycoord(M_,ih,sh,rh,u),s&&(h.uv=Us.getInterpolatedAttribute(s,a,l,c,u,new ct)),r&&(h.uv1=Us.getInterpolatedAttribute(r,a,l,c,u,new ct)),o&&(h.normal=Us.getInterpolatedAttribute(o,a,l,c,u,new F),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let d={a,b:l,c,normal:new F,materialIndex:0};Us.getNormal(ih,sh,rh,d.normal),h.face=d,h.barycoord=u}return h}var al=new xt,S_=new xt,A_=new xt,s1=new xt,E_=new He,ch=new F,Bf=new pi,T_=new He,zf=new Hr,Ml=class extends qt{constructor(e,t){super(e,t),this.isSkinnedMesh=!0,this.type="SkinnedMesh",this.bindMode=Gf,this.bindMatrix=new He,this.bindMatrixInverse=new He,this.boundingBox=null,this.boundingSphere=null}computeBoundingBox(){let e=this.geometry;this.boundingBox===null&&(this.boundingBox=new Ki),this.boundingBox.makeEmpty();let t=e.getAttribute("position");for(let n=0;n<t.count;n++)this.getVertexPosition(n,ch),this.boundingBox.expandByPoint(ch)}computeBoundingSphere(){let e=this.geometry;this.boundingSphere===null&&(this.boundingSphere=new pi),this.boundingSphere.makeEmpty();let t=e.getAttribute("position");for(let n=0;n<t.count;n++)this.getVertexPosition(n,ch),this.boundingSphere.expandByPoint(ch)}copy(e,t){return super.copy(e,t),this.bindMode=e.bindMode,this.bindMatrix.copy(e.bindMatrix),this.bindMatrixInverse.copy(e.bindMatrixInverse),this.skeleton=e.skeleton,this.boundingBox=e.boundingBox!==null?e.boundingBox.clone():null,this.boundingSphere=e.boundingSphere!==null?e.boundingSphere.clone():null,this}raycast(e,t){let n=this.material,s=this.matrixWorld;n!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Bf.copy(this.boundingSphere),Bf.applyMatrix4(s),e.ray.intersectsSphere(Bf)!==!1&&(T_.copy(s).invert(),zf.copy(e.ray).applyMatrix4(T_),!(this.boundingBox!==null&&zf.intersectsBox(this.boundingBox)===!1)&&this._computeIntersections(e,t,zf)))}getVertexPosition(e,t){return super.getVertexPosition(e,t),this.applyBoneTransform(e,t),t}bind(e,t){this.skeleton=e,t===void 0&&(this.updateMatrixWorld(!0),this.skeleton.calculateInverses(),t=this.matrixWorld),this.bindMatrix.copy(t),this.bindMatrixInverse.copy(t).invert()}pose(){this.skeleton.pose()}normalizeSkinWeights(){let e=new xt,t=this.geometry.attributes.skinWeight;for(let n=0,s=t.count;n<s;n++){e.fromBufferAttribute(t,n);let r=1/e.manhattanLength();r!==1/0?e.multiplyScalar(r):e.set(1,0,0,0),t.setXYZW(n,e.x,e.y,e.z,e.w)}}updateMatrixWorld(e){super.updateMatrixWorld(e),this.bindMode===Gf?this.bindMatrixInverse.copy(this.matrixWorld).invert():this.bindMode===dy?this.bindMatrixInverse.copy(this.bindMatrix).invert():Xe("SkinnedMesh: Unrecognized bindMode: "+this.bindMode)}applyBoneTransform(e,t){let n=this.skeleton,s=this.geometry;S_.fromBufferAttribute(s.attributes.skinIndex,e),A_.fromBufferAttribute(s.attributes.skinWeight,e),t.isVector4?(al.copy(t),t.set(0,0,0,0)):(al.set(t.x,t.y,t.z,1),t.set(0,0,0)),al.applyMatrix4(this.bindMatrix);for(let r=0;r<4;r++){let o=A_.getComponent(r);if(o!==0){let a=S_.getComponent(r);E_.multiplyMatrices(n.bones[a].matrixWorld,n.boneInverses[a]),t.addScaledVector(s1.copy(al).applyMatrix4(E_),o)}}return t.isVector4&&(t.w=al.w),t.applyMatrix4(this.bindMatrixInverse)}},ra=class extends Vn{constructor(){super(),this.isBone=!0,this.type="Bone"}},fr=class extends ri{constructor(e=null,t=1,n=1,s,r,o,a,l,c=An,h=An,u,d){super(null,o,a,l,c,h,s,r,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},C_=new He,r1=new He,Sl=class i{constructor(e=[],t=[]){this.uuid=wr(),this.bones=e.slice(0),this.boneInverses=t,this.boneMatrices=null,this.previousBoneMatrices=null,this.boneTexture=null,this.previousBoneTexture=null,this.init()}init(){let e=this.bones,t=this.boneInverses;if(this.boneMatrices=new Float32Array(e.length*16),t.length===0)this.calculateInverses();else if(e.length!==t.length){Xe("Skeleton: Number of inverse bone matrices does not match amount of bones."),this.boneInverses=[];for(let n=0,s=this.bones.length;n<s;n++)this.boneInverses.push(new He)}}calculateInverses(){this.boneInverses.length=0;for(let e=0,t=this.bones.length;e<t;e++){let n=new He;this.bones[e]&&n.copy(this.bones[e].matrixWorld).invert(),this.boneInverses.push(n)}}pose(){for(let e=0,t=this.bones.length;e<t;e++){let n=this.bones[e];n&&n.matrixWorld.copy(this.boneInverses[e]).invert()}for(let e=0,t=this.bones.length;e<t;e++){let n=this.bones[e];n&&(n.parent&&n.parent.isBone?(n.matrix.copy(n.parent.matrixWorld).invert(),n.matrix.multiply(n.matrixWorld)):n.matrix.copy(n.matrixWorld),n.matrix.decompose(n.position,n.quaternion,n.scale))}}update(){let e=this.bones,t=this.boneInverses,n=this.boneMatrices,s=this.boneTexture;for(let r=0,o=e.length;r<o;r++){let a=e[r]?e[r].matrixWorld:r1;C_.multiplyMatrices(a,t[r]),C_.toArray(n,r*16)}s!==null&&(s.needsUpdate=!0)}clone(){return new i(this.bones,this.boneInverses)}computeBoneTexture(){let e=Math.sqrt(this.bones.length*4);e=Math.ceil(e/4)*4,e=Math.max(e,4);let t=new Float32Array(e*e*4);t.set(this.boneMatrices);let n=new fr(t,e,e,Jn,ci);return n.needsUpdate=!0,this.boneMatrices=t,this.boneTexture=n,this}getBoneByName(e){for(let t=0,n=this.bones.length;t<n;t++){let s=this.bones[t];if(s.name===e)return s}}dispose(){this.boneTexture!==null&&(this.boneTexture.dispose(),this.boneTexture=null),this.previousBoneTexture!==null&&(this.previousBoneTexture.dispose(),this.previousBoneTexture=null)}fromJSON(e,t){this.uuid=e.uuid;for(let n=0,s=e.bones.length;n<s;n++){let r=e.bones[n],o=t[r];o===void 0&&(Xe("Skeleton: No bone found with UUID:",r),o=new ra),this.bones.push(o),this.boneInverses.push(new He().fromArray(e.boneInverses[n]))}return this.init(),this}toJSON(){let e={metadata:{version:4.7,type:"Skeleton",generator:"Skeleton.toJSON"},bones:[],boneInverses:[]};e.uuid=this.uuid;let t=this.bones,n=this.boneInverses;for(let s=0,r=t.length;s<r;s++){let o=t[s];e.bones.push(o.uuid);let a=n[s];e.boneInverses.push(a.toArray())}return e}},mr=class extends ot{constructor(e,t,n,s=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}},Xo=new He,P_=new He,hh=[],R_=new Ki,o1=new He,ll=new qt,cl=new pi,zs=class extends qt{constructor(e,t,n){super(e,t),this.isInstancedMesh=!0,this.instanceMatrix=new mr(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,o1)}computeBoundingBox(){let e=this.geometry,t=this.count;this.boundingBox===null&&(this.boundingBox=new Ki),e.boundingBox===null&&e.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Xo),R_.copy(e.boundingBox).applyMatrix4(Xo),this.boundingBox.union(R_)}computeBoundingSphere(){let e=this.geometry,t=this.count;this.boundingSphere===null&&(this.boundingSphere=new pi),e.boundingSphere===null&&e.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<t;n++)this.getMatrixAt(n,Xo),cl.copy(e.boundingSphere).applyMatrix4(Xo),this.boundingSphere.union(cl)}copy(e,t){return super.copy(e,t),this.instanceMatrix.copy(e.instanceMatrix),this.morphTexture=e.morphTexture!==null?e.morphTexture.clone():null,this.instanceColor=e.instanceColor!==null?e.instanceColor.clone():null,this.count=e.count,this.boundingBox=e.boundingBox!==null?e.boundingBox.clone():null,this.boundingSphere=e.boundingSphere!==null?e.boundingSphere.clone():null,this}getColorAt(e,t){return this.instanceColor===null?t.setRGB(1,1,1):t.fromArray(this.instanceColor.array,e*3)}getMatrixAt(e,t){return t.fromArray(this.instanceMatrix.array,e*16)}getMorphAt(e,t){let n=t.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=e*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(e,t){let n=this.matrixWorld,s=this.count;if(ll.geometry=this.geometry,ll.material=this.material,ll.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),cl.copy(this.boundingSphere),cl.applyMatrix4(n),e.ray.intersectsSphere(cl)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Xo),P_.multiplyMatrices(n,Xo),ll.matrixWorld=P_,ll.raycast(e,hh);for(let o=0,a=hh.length;o<a;o++){let l=hh[o];l.instanceId=r,l.object=this,t.push(l)}hh.length=0}}setColorAt(e,t){return this.instanceColor===null&&(this.instanceColor=new mr(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),t.toArray(this.instanceColor.array,e*3),this}setMatrixAt(e,t){return t.toArray(this.instanceMatrix.array,e*16),this}setMorphAt(e,t){let n=t.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new fr(new Float32Array(s*this.count),s,this.count,nu,ci));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*e;return r[l]=a,r.set(n,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},zr=new pi,a1=new ct(.5,.5),uh=new F,Vs=class{constructor(e=new Yi,t=new Yi,n=new Yi,s=new Yi,r=new Yi,o=new Yi){this.planes=[e,t,n,s,r,o]}set(e,t,n,s,r,o){let a=this.planes;return a[0].copy(e),a[1].copy(t),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=ki,n=!1){let s=this.planes,r=e.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],d=r[6],p=r[7],f=r[8],y=r[9],m=r[10],g=r[11],b=r[12],C=r[13],S=r[14],R=r[15];if(s[0].setComponents(c-o,p-h,g-f,R-b).normalize(),s[1].setComponents(c+o,p+h,g+f,R+b).normalize(),s[2].setComponents(c+a,p+u,g+y,R+C).normalize(),s[3].setComponents(c-a,p-u,g-y,R-C).normalize(),n)s[4].setComponents(l,d,m,S).normalize(),s[5].setComponents(c-l,p-d,g-m,R-S).normalize();else if(s[4].setComponents(c-l,p-d,g-m,R-S).normalize(),t===ki)s[5].setComponents(c+l,p+d,g+m,R+S).normalize();else if(t===ml)s[5].setComponents(l,d,m,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),zr.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),zr.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(zr)}intersectsSprite(e){zr.center.set(0,0,0);let t=a1.distanceTo(e.center);return zr.radius=.7071067811865476+t,zr.applyMatrix4(e.matrixWorld),this.intersectsSphere(zr)}intersectsSphere(e){let t=this.planes,n=e.center,s=-e.radius;for(let r=0;r<6;r++)if(t[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let s=t[n];if(uh.x=s.normal.x>0?e.max.x:e.min.x,uh.y=s.normal.y>0?e.max.y:e.min.y,uh.z=s.normal.z>0?e.max.z:e.min.z,s.distanceToPoint(uh)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},I_=new He,Dh=class i{constructor(){this.coordinateSystem=ki,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let s=0;s<t.length;s++){let r=t[s];I_.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Vs),n[s].setFromProjectionMatrix(I_,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let s=0;s<e._count;s++)t[s]===void 0&&(t[s]=new Vs),t[s].copy(n[s]);return this._count=e._count,this}clone(){return new i().copy(this)}};var oi=class extends ps{constructor(e){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new lt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}},Nh=new F,Fh=new F,L_=new He,hl=new Hr,dh=new pi,Vf=new F,D_=new F,fs=class extends Vn{constructor(e=new ht,t=new oi){super(),this.isLine=!0,this.type="Line",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[0];for(let s=1,r=t.count;s<r;s++)Nh.fromBufferAttribute(t,s-1),Fh.fromBufferAttribute(t,s),n[s]=n[s-1],n[s]+=Nh.distanceTo(Fh);e.setAttribute("lineDistance",new en(n,1))}else Xe("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),dh.copy(n.boundingSphere),dh.applyMatrix4(s),dh.radius+=r,e.ray.intersectsSphere(dh)===!1)return;L_.copy(s).invert(),hl.copy(e.ray).applyMatrix4(L_);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,d=n.attributes.position;if(h!==null){let p=Math.max(0,o.start),f=Math.min(h.count,o.start+o.count);for(let y=p,m=f-1;y<m;y+=c){let g=h.getX(y),b=h.getX(y+1),C=ph(this,e,hl,l,g,b,y);C&&t.push(C)}if(this.isLineLoop){let y=h.getX(f-1),m=h.getX(p),g=ph(this,e,hl,l,y,m,f-1);g&&t.push(g)}}else{let p=Math.max(0,o.start),f=Math.min(d.count,o.start+o.count);for(let y=p,m=f-1;y<m;y+=c){let g=ph(this,e,hl,l,y,y+1,y);g&&t.push(g)}if(this.isLineLoop){let y=ph(this,e,hl,l,f-1,p,f-1);y&&t.push(y)}}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function ph(i,e,t,n,s,r,o){let a=i.geometry.attributes.position;if(Nh.fromBufferAttribute(a,s),Fh.fromBufferAttribute(a,r),t.distanceSqToSegment(Nh,Fh,Vf,D_)>n)return;Vf.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Vf);if(!(c<e.near||c>e.far))return{distance:c,point:D_.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var N_=new F,F_=new F,mi=class extends fs{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[];for(let s=0,r=t.count;s<r;s+=2)N_.fromBufferAttribute(t,s),F_.fromBufferAttribute(t,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+N_.distanceTo(F_);e.setAttribute("lineDistance",new en(n,1))}else Xe("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var oa=class extends ps{constructor(e){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new lt(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},k_=new He,$f=new Hr,fh=new pi,mh=new F,ji=class extends Vn{constructor(e=new ht,t=new oa){super(),this.isPoints=!0,this.type="Points",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),fh.copy(n.boundingSphere),fh.applyMatrix4(s),fh.radius+=r,e.ray.intersectsSphere(fh)===!1)return;k_.copy(s).invert(),$f.copy(e.ray).applyMatrix4(k_);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=n.index,u=n.attributes.position;if(c!==null){let d=Math.max(0,o.start),p=Math.min(c.count,o.start+o.count);for(let f=d,y=p;f<y;f++){let m=c.getX(f);mh.fromBufferAttribute(u,m),U_(mh,m,l,s,e,t,this)}}else{let d=Math.max(0,o.start),p=Math.min(u.count,o.start+o.count);for(let f=d,y=p;f<y;f++)mh.fromBufferAttribute(u,f),U_(mh,f,l,s,e,t,this)}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function U_(i,e,t,n,s,r,o){let a=$f.distanceSqToPoint(i);if(a<t){let l=new F;$f.closestPointToPoint(i,l),l.applyMatrix4(n);let c=s.ray.origin.distanceTo(l);if(c<s.near||c>s.far)return;r.push({distance:c,distanceToRay:Math.sqrt(a),point:l,index:e,face:null,faceIndex:null,barycoord:null,object:o})}}var Al=class extends ri{constructor(e=[],t=Kr,n,s,r,o,a,l,c,h){super(e,t,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},Wr=class extends ri{constructor(e,t,n,s,r,o,a,l,c){super(e,t,n,s,r,o,a,l,c),this.isCanvasTexture=!0,this.needsUpdate=!0}};var Ji=class extends ri{constructor(e,t,n=Ti,s,r,o,a=An,l=An,c,h=Bs,u=1){if(h!==Bs&&h!==Gs)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:e,height:t,depth:u};super(d,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new ea(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},El=class extends Ji{constructor(e,t=Ti,n=Kr,s,r,o=An,a=An,l,c=Bs){let h={width:e,height:e,depth:1},u=[h,h,h,h,h,h];super(e,e,t,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Tl=class extends ri{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},gr=class i extends ht{constructor(e=1,t=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:e,height:t,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],d=0,p=0;f("z","y","x",-1,-1,n,t,e,o,r,0),f("z","y","x",1,-1,n,t,-e,o,r,1),f("x","z","y",1,1,e,n,t,s,o,2),f("x","z","y",1,-1,e,n,-t,s,o,3),f("x","y","z",1,-1,e,t,n,s,r,4),f("x","y","z",-1,-1,e,t,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new en(c,3)),this.setAttribute("normal",new en(h,3)),this.setAttribute("uv",new en(u,2));function f(y,m,g,b,C,S,R,E,_,A,B){let N=S/_,I=R/A,z=S/2,H=R/2,D=E/2,W=_+1,Y=A+1,G=0,ce=0,J=new F;for(let Q=0;Q<Y;Q++){let se=Q*I-H;for(let de=0;de<W;de++){let ue=de*N-z;J[y]=ue*b,J[m]=se*C,J[g]=D,c.push(J.x,J.y,J.z),J[y]=0,J[m]=0,J[g]=E>0?1:-1,h.push(J.x,J.y,J.z),u.push(de/_),u.push(1-Q/A),G+=1}}for(let Q=0;Q<A;Q++)for(let se=0;se<_;se++){let de=d+se+W*Q,ue=d+se+W*(Q+1),ee=d+(se+1)+W*(Q+1),me=d+(se+1)+W*Q;l.push(de,ue,me),l.push(ue,ee,me),ce+=6}a.addGroup(p,ce,B),p+=ce,d+=G}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.depth,e.widthSegments,e.heightSegments,e.depthSegments)}};var Cl=class i extends ht{constructor(e=1,t=32,n=0,s=Math.PI*2){super(),this.type="CircleGeometry",this.parameters={radius:e,segments:t,thetaStart:n,thetaLength:s},t=Math.max(3,t);let r=[],o=[],a=[],l=[],c=new F,h=new ct;o.push(0,0,0),a.push(0,0,1),l.push(.5,.5);for(let u=0,d=3;u<=t;u++,d+=3){let p=n+u/t*s;c.x=e*Math.cos(p),c.y=e*Math.sin(p),o.push(c.x,c.y,c.z),a.push(0,0,1),h.x=(o[d]/e+1)/2,h.y=(o[d+1]/e+1)/2,l.push(h.x,h.y)}for(let u=1;u<=t;u++)r.push(u,u+1,0);this.setIndex(r),this.setAttribute("position",new en(o,3)),this.setAttribute("normal",new en(a,3)),this.setAttribute("uv",new en(l,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.radius,e.segments,e.thetaStart,e.thetaLength)}},aa=class i extends ht{constructor(e=1,t=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:e,radiusBottom:t,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],d=[],p=[],f=0,y=[],m=n/2,g=0;b(),o===!1&&(e>0&&C(!0),t>0&&C(!1)),this.setIndex(h),this.setAttribute("position",new en(u,3)),this.setAttribute("normal",new en(d,3)),this.setAttribute("uv",new en(p,2));function b(){let S=new F,R=new F,E=0,_=(t-e)/n;for(let A=0;A<=r;A++){let B=[],N=A/r,I=N*(t-e)+e;for(let z=0;z<=s;z++){let H=z/s,D=H*l+a,W=Math.sin(D),Y=Math.cos(D);R.x=I*W,R.y=-N*n+m,R.z=I*Y,u.push(R.x,R.y,R.z),S.set(W,_,Y).normalize(),d.push(S.x,S.y,S.z),p.push(H,1-N),B.push(f++)}y.push(B)}for(let A=0;A<s;A++)for(let B=0;B<r;B++){let N=y[B][A],I=y[B+1][A],z=y[B+1][A+1],H=y[B][A+1];(e>0||B!==0)&&(h.push(N,I,H),E+=3),(t>0||B!==r-1)&&(h.push(I,z,H),E+=3)}c.addGroup(g,E,0),g+=E}function C(S){let R=f,E=new ct,_=new F,A=0,B=S===!0?e:t,N=S===!0?1:-1;for(let z=1;z<=s;z++)u.push(0,m*N,0),d.push(0,N,0),p.push(.5,.5),f++;let I=f;for(let z=0;z<=s;z++){let D=z/s*l+a,W=Math.cos(D),Y=Math.sin(D);_.x=B*Y,_.y=m*N,_.z=B*W,u.push(_.x,_.y,_.z),d.push(0,N,0),E.x=W*.5+.5,E.y=Y*.5*N+.5,p.push(E.x,E.y),f++}for(let z=0;z<s;z++){let H=R+z,D=I+z;S===!0?h.push(D,D+1,H):h.push(D+1,D,H),A+=3}c.addGroup(g,A,S===!0?1:2),g+=A}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.radiusTop,e.radiusBottom,e.height,e.radialSegments,e.heightSegments,e.openEnded,e.thetaStart,e.thetaLength)}},qr=class i extends aa{constructor(e=1,t=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,e,t,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:e,height:t,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(e){return new i(e.radius,e.height,e.radialSegments,e.heightSegments,e.openEnded,e.thetaStart,e.thetaLength)}};var Xr=class i extends ht{constructor(e=1,t=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:e,height:t,widthSegments:n,heightSegments:s};let r=e/2,o=t/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=e/a,d=t/l,p=[],f=[],y=[],m=[];for(let g=0;g<h;g++){let b=g*d-o;for(let C=0;C<c;C++){let S=C*u-r;f.push(S,-b,0),y.push(0,0,1),m.push(C/a),m.push(1-g/l)}}for(let g=0;g<l;g++)for(let b=0;b<a;b++){let C=b+c*g,S=b+c*(g+1),R=b+1+c*(g+1),E=b+1+c*g;p.push(C,S,E),p.push(S,R,E)}this.setIndex(p),this.setAttribute("position",new en(f,3)),this.setAttribute("normal",new en(y,3)),this.setAttribute("uv",new en(m,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.widthSegments,e.heightSegments)}};function Jr(i){let e={};for(let t in i){e[t]={};for(let n in i[t]){let s=i[t][n];if(O_(s))s.isRenderTargetTexture?(Xe("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),e[t][n]=null):e[t][n]=s.clone();else if(Array.isArray(s))if(O_(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();e[t][n]=r}else e[t][n]=s.slice();else e[t][n]=s}}return e}function Zn(i){let e={};for(let t=0;t<i.length;t++){let n=Jr(i[t]);for(let s in n)e[s]=n[s]}return e}function O_(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function l1(i){let e=[];for(let t=0;t<i.length;t++)e.push(i[t].clone());return e}function xm(i){let e=i.getRenderTarget();return e===null?i.outputColorSpace:e.isXRRenderTarget===!0?e.texture.colorSpace:bt.workingColorSpace}var Iy={clone:Jr,merge:Zn},c1=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,h1=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Xt=class extends ps{constructor(e){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=c1,this.fragmentShader=h1,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=Jr(e.uniforms),this.uniformsGroups=l1(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?t.uniforms[s]={type:"t",value:o.toJSON(e).uuid}:o&&o.isColor?t.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?t.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?t.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?t.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?t.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?t.uniforms[s]={type:"m4",value:o.toArray()}:t.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let s=e.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=t[s.value]||null;break;case"c":this.uniforms[n].value=new lt().setHex(s.value);break;case"v2":this.uniforms[n].value=new ct().fromArray(s.value);break;case"v3":this.uniforms[n].value=new F().fromArray(s.value);break;case"v4":this.uniforms[n].value=new xt().fromArray(s.value);break;case"m3":this.uniforms[n].value=new et().fromArray(s.value);break;case"m4":this.uniforms[n].value=new He().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let n in e.extensions)this.extensions[n]=e.extensions[n];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},kh=class extends Xt{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var Uh=class extends ps{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=fy,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},Oh=class extends ps{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function $o(i,e){return!i||i.constructor===e?i:typeof e.BYTES_PER_ELEMENT=="number"?new e(i):Array.prototype.slice.call(i)}function gh(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var vr=class{constructor(e,t,n,s){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new t.constructor(n),this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,s=t[n],r=t[n-1];n:{e:{let o;t:{i:if(!(e<s)){for(let a=n+2;;){if(s===void 0){if(e<r)break i;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=t[++n],e<s)break e}o=t.length;break t}if(!(e>=r)){let a=t[1];e<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=t[--n-1],e>=r)break e}o=n,n=0;break t}break n}for(;n<o;){let a=n+o>>>1;e<t[a]?o=a:n=a+1}if(s=t[n],r=t[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,e,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=e*s;for(let o=0;o!==s;++o)t[o]=n[r+o];return t}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},Bh=class extends vr{constructor(e,t,n,s){super(e,t,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Wf,endingEnd:Wf}}intervalChanged_(e,t,n){let s=this.parameterPositions,r=e-2,o=e+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case qf:r=e,a=2*t-n;break;case Xf:r=s.length-2,a=t+s[r]-s[r+1];break;default:r=e,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case qf:o=e,l=2*n-t;break;case Xf:o=1,l=n+s[1]-s[0];break;default:o=e-1,l=t}let c=(n-t)*.5,h=this.valueSize;this._weightPrev=c/(t-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,p=this._weightNext,f=(n-t)/(s-t),y=f*f,m=y*f,g=-d*m+2*d*y-d*f,b=(1+d)*m+(-1.5-2*d)*y+(-.5+d)*f+1,C=(-1-p)*m+(1.5+p)*y+.5*f,S=p*m-p*y;for(let R=0;R!==a;++R)r[R]=g*o[h+R]+b*o[c+R]+C*o[l+R]+S*o[u+R];return r}},zh=class extends vr{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=(n-t)/(s-t),u=1-h;for(let d=0;d!==a;++d)r[d]=o[c+d]*u+o[l+d]*h;return r}},Vh=class extends vr{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e){return this.copySampleValue_(e-1)}},Gh=class extends vr{interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let f=(n-t)/(s-t),y=1-f;for(let m=0;m!==a;++m)r[m]=o[c+m]*y+o[l+m]*f;return r}let d=a*2,p=e-1;for(let f=0;f!==a;++f){let y=o[c+f],m=o[l+f],g=p*d+f*2,b=u[g],C=u[g+1],S=e*d+f*2,R=h[S],E=h[S+1],_=d1(n,t,b,R,s);r[f]=Ly(_,y,C,E,m)}return r}};function Ly(i,e,t,n,s){let r=1-i;return r*r*r*e+3*r*r*i*t+3*r*i*i*n+i*i*i*s}function u1(i,e,t,n,s){let r=1-i;return 3*r*r*(t-e)+6*r*i*(n-t)+3*i*i*(s-n)}function d1(i,e,t,n,s){let r=(i-e)/(s-e);for(let o=0;o<8;o++){let a=Ly(r,e,t,n,s)-i;if(Math.abs(a)<1e-10)break;let l=u1(r,e,t,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var Ei=class{constructor(e,t,n,s){if(e===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(t===void 0||t.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+e);this.name=e,this.times=$o(t,this.TimeBufferType),this.values=$o(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:$o(e.times,Array),values:$o(e.values,Array)};let s=e.getInterpolation();s!==e.DefaultInterpolation&&(n.interpolation=s),gh(e.settings)&&(n.settings={inTangents:$o(e.settings.inTangents,Array),outTangents:$o(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new Vh(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new zh(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new Bh(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new Gh(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case dl:t=this.InterpolantFactoryMethodDiscrete;break;case Ph:t=this.InterpolantFactoryMethodLinear;break;case yh:t=this.InterpolantFactoryMethodSmooth;break;case Hf:t=this.InterpolantFactoryMethodBezier;break}if(t===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return Xe("KeyframeTrack:",n),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return dl;case this.InterpolantFactoryMethodLinear:return Ph;case this.InterpolantFactoryMethodSmooth:return yh;case this.InterpolantFactoryMethodBezier:return Hf}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]+=e;gh(this.settings)&&(B_(this.settings.inTangents,e),B_(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]*=e;gh(this.settings)&&(z_(this.settings.inTangents,e),z_(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<e;)++r;for(;o!==-1&&n[o]>t;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(Ze("KeyframeTrack: Invalid value size in track.",this),e=!1);let n=this.times,s=this.values,r=n.length;r===0&&(Ze("KeyframeTrack: Track is empty.",this),e=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){Ze("KeyframeTrack: Time is not a valid number.",this,a,l),e=!1;break}if(o!==null&&o>l){Ze("KeyframeTrack: Out of order keys.",this,a,l,o),e=!1;break}o=l}if(s!==void 0&&BS(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){Ze("KeyframeTrack: Value is not a valid number.",this,a,c),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===yh,r=e.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=e[a],h=e[a+1];if(c!==h&&(a!==1||c!==e[0]))if(s)l=!0;else{let u=a*n,d=u-n,p=u+n;for(let f=0;f!==n;++f){let y=t[u+f];if(y!==t[d+f]||y!==t[p+f]){l=!0;break}}}if(l){if(a!==o){e[o]=e[a];let u=a*n,d=o*n;for(let p=0;p!==n;++p)t[d+p]=t[u+p]}++o}}if(r>0){e[o]=e[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)t[l+c]=t[a+c];++o}return o!==e.length?(this.times=e.slice(0,o),this.values=t.slice(0,o*n)):(this.times=e,this.values=t),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,s=new n(this.name,e,t);return s.createInterpolant=this.createInterpolant,gh(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function B_(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]+=e}function z_(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]*=e}Ei.prototype.ValueTypeName="";Ei.prototype.TimeBufferType=Float32Array;Ei.prototype.ValueBufferType=Float32Array;Ei.prototype.DefaultInterpolation=Ph;var _r=class extends Ei{constructor(e,t,n){super(e,t,n)}};_r.prototype.ValueTypeName="bool";_r.prototype.ValueBufferType=Array;_r.prototype.DefaultInterpolation=dl;_r.prototype.InterpolantFactoryMethodLinear=void 0;_r.prototype.InterpolantFactoryMethodSmooth=void 0;var Hh=class extends Ei{constructor(e,t,n,s){super(e,t,n,s)}};Hh.prototype.ValueTypeName="color";var Wh=class extends Ei{constructor(e,t,n,s){super(e,t,n,s)}};Wh.prototype.ValueTypeName="number";var qh=class extends vr{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-t)/(s-t),c=e*a;for(let h=c+a;c!==h;c+=4)Lt.slerpFlat(r,0,o,c-a,o,c,l);return r}},Pl=class extends Ei{constructor(e,t,n,s){super(e,t,n,s)}InterpolantFactoryMethodLinear(e){return new qh(this.times,this.values,this.getValueSize(),e)}};Pl.prototype.ValueTypeName="quaternion";Pl.prototype.InterpolantFactoryMethodSmooth=void 0;var yr=class extends Ei{constructor(e,t,n){super(e,t,n)}};yr.prototype.ValueTypeName="string";yr.prototype.ValueBufferType=Array;yr.prototype.DefaultInterpolation=dl;yr.prototype.InterpolantFactoryMethodLinear=void 0;yr.prototype.InterpolantFactoryMethodSmooth=void 0;var Xh=class extends Ei{constructor(e,t,n,s){super(e,t,n,s)}};Xh.prototype.ValueTypeName="vector";var $h=class{constructor(e,t,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=e,this.onProgress=t,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,d=c.length;u<d;u+=2){let p=c[u],f=c[u+1];if(p.global&&(p.lastIndex=0),p.test(h))return f}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},Dy=new $h,Yh=class{constructor(e){this.manager=e!==void 0?e:Dy,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(e,t){let n=this;return new Promise(function(s,r){n.load(e,s,t,r)})}parse(){}setCrossOrigin(e){return this.crossOrigin=e,this}setWithCredentials(e){return this.withCredentials=e,this}setPath(e){return this.path=e,this}setResourcePath(e){return this.resourcePath=e,this}setRequestHeader(e){return this.requestHeader=e,this}setPriority(e){return this.priority=e,this}setCache(e){return this.cache=e,this}abort(){return this}};Yh.DEFAULT_MATERIAL_NAME="__DEFAULT";var vh=new F,_h=new Lt,hs=new F,Rl=class extends Vn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new He,this.projectionMatrix=new He,this.projectionMatrixInverse=new He,this.coordinateSystem=ki,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(vh,_h,hs),hs.x===1&&hs.y===1&&hs.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(vh,_h,hs.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(vh,_h,hs),hs.x===1&&hs.y===1&&hs.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(vh,_h,hs.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},dr=new F,V_=new ct,G_=new ct,qn=class extends Rl{constructor(e=50,t=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=e,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=Rh*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(vf*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return Rh*2*Math.atan(Math.tan(vf*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){dr.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(dr.x,dr.y).multiplyScalar(-e/dr.z),dr.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(dr.x,dr.y).multiplyScalar(-e/dr.z)}getViewSize(e,t){return this.getViewBounds(e,V_,G_),t.subVectors(G_,V_)}setViewOffset(e,t,n,s,r,o){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(vf*.5*this.fov)/this.zoom,n=2*t,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,t-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=e*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}};var la=class extends Rl{constructor(e=-1,t=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-e,o=n+e,a=s+t,l=s-t;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}};var Yo=-90,Ko=1,ca=class extends Vn{constructor(e,t,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new qn(Yo,Ko,e,t);s.layers=this.layers,this.add(s);let r=new qn(Yo,Ko,e,t);r.layers=this.layers,this.add(r);let o=new qn(Yo,Ko,e,t);o.layers=this.layers,this.add(o);let a=new qn(Yo,Ko,e,t);a.layers=this.layers,this.add(a);let l=new qn(Yo,Ko,e,t);l.layers=this.layers,this.add(l);let c=new qn(Yo,Ko,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,s,r,o,a,l]=t;for(let c of t)this.remove(c);if(e===ki)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(e===ml)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+e);for(let c of t)this.add(c),c.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),p=e.getActiveMipmapLevel(),f=e.xr.enabled;e.xr.enabled=!1;let y=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let m=!1;e.isWebGLRenderer===!0?m=e.state.buffers.depth.getReversed():m=e.reversedDepthBuffer,e.setRenderTarget(n,0,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,r),e.setRenderTarget(n,1,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,2,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,3,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(n,4,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=y,e.setRenderTarget(n,5,s),m&&e.autoClear===!1&&e.clearDepth(),e.render(t,h),e.setRenderTarget(u,d,p),e.xr.enabled=f,n.texture.needsPMREMUpdate=!0}},Kh=class extends qn{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}};var wm="\\[\\]\\.:\\/",p1=new RegExp("["+wm+"]","g"),Mm="[^"+wm+"]",f1="[^"+wm.replace("\\.","")+"]",m1=/((?:WC+[\/:])*)/.source.replace("WC",Mm),g1=/(WCOD+)?/.source.replace("WCOD",f1),v1=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Mm),_1=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Mm),y1=new RegExp("^"+m1+g1+v1+_1+"$"),b1=["material","materials","bones","map"],Yf=class{constructor(e,t,n){let s=n||Qt.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,s)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},Qt=class i{constructor(e,t,n){this.path=t,this.parsedPath=n||i.parseTrackName(t),this.node=i.findNode(e,this.parsedPath.nodeName),this.rootNode=e,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(e,t,n){return e&&e.isAnimationObjectGroup?new i.Composite(e,t,n):new i(e,t,n)}static sanitizeNodeName(e){return e.replace(/\s/g,"_").replace(p1,"")}static parseTrackName(e){let t=y1.exec(e);if(t===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);b1.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+e);return n}static findNode(e,t){if(t===void 0||t===""||t==="."||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===t||a.uuid===t)return a;let l=n(a.children);if(l)return l}return null},s=n(e.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)e[t++]=n[s]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let e=this.node,t=this.parsedPath,n=t.objectName,s=t.propertyName,r=t.propertyIndex;if(e||(e=i.findNode(this.rootNode,t.nodeName),this.node=e),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!e){Xe("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=t.objectIndex;switch(n){case"materials":if(!e.material){Ze("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.materials){Ze("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}e=e.material.materials;break;case"bones":if(!e.skeleton){Ze("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}e=e.skeleton.bones;for(let h=0;h<e.length;h++)if(e[h].name===c){c=h;break}break;case"map":if("map"in e){e=e.map;break}if(!e.material){Ze("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.map){Ze("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}e=e.material.map;break;default:if(e[n]===void 0){Ze("PropertyBinding: Can not bind to objectName of node undefined.",this);return}e=e[n]}if(c!==void 0){if(e[c]===void 0){Ze("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,e);return}e=e[c]}}let o=e[s];if(o===void 0){let c=t.nodeName;Ze("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",e);return}let a=this.Versioning.None;this.targetObject=e,e.isMaterial===!0?a=this.Versioning.NeedsUpdate:e.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!e.geometry){Ze("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!e.geometry.morphAttributes){Ze("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}e.morphTargetDictionary[r]!==void 0&&(r=e.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Qt.Composite=Yf;Qt.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Qt.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Qt.prototype.GetterByBindingType=[Qt.prototype._getValue_direct,Qt.prototype._getValue_array,Qt.prototype._getValue_arrayElement,Qt.prototype._getValue_toArray];Qt.prototype.SetterByBindingTypeAndVersioning=[[Qt.prototype._setValue_direct,Qt.prototype._setValue_direct_setNeedsUpdate,Qt.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Qt.prototype._setValue_array,Qt.prototype._setValue_array_setNeedsUpdate,Qt.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Qt.prototype._setValue_arrayElement,Qt.prototype._setValue_arrayElement_setNeedsUpdate,Qt.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Qt.prototype._setValue_fromArray,Qt.prototype._setValue_fromArray_setNeedsUpdate,Qt.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var VF=new Float32Array(1);var Kf=class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,s){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,s){let r=this.elements;return r[0]=e,r[2]=t,r[1]=n,r[3]=s,this}};var Il=class extends mi{constructor(e=10,t=10,n=4473924,s=8947848){n=new lt(n),s=new lt(s);let r=t/2,o=e/t,a=e/2,l=[],c=[];for(let d=0,p=0,f=-a;d<=t;d++,f+=o){l.push(-a,0,f,a,0,f),l.push(f,0,-a,f,0,a);let y=d===r?n:s;y.toArray(c,p),p+=3,y.toArray(c,p),p+=3,y.toArray(c,p),p+=3,y.toArray(c,p),p+=3}let h=new ht;h.setAttribute("position",new en(l,3)),h.setAttribute("color",new en(c,3));let u=new oi({vertexColors:!0,toneMapped:!1});super(h,u),this.type="GridHelper"}dispose(){super.dispose(),this.geometry.dispose(),this.material.dispose()}};function Sm(i,e,t,n){let s=x1(n);switch(t){case fm:return i*e;case nu:return i*e/s.components*s.byteLength;case iu:return i*e/s.components*s.byteLength;case xr:return i*e*2/s.components*s.byteLength;case su:return i*e*2/s.components*s.byteLength;case mm:return i*e*3/s.components*s.byteLength;case Jn:return i*e*4/s.components*s.byteLength;case ru:return i*e*4/s.components*s.byteLength;case Fl:case kl:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case Ul:case Ol:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case au:case cu:return Math.max(i,16)*Math.max(e,8)/4;case ou:case lu:return Math.max(i,8)*Math.max(e,8)/2;case hu:case uu:case pu:case fu:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case du:case Bl:case mu:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case gu:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case vu:return Math.floor((i+4)/5)*Math.floor((e+3)/4)*16;case _u:return Math.floor((i+4)/5)*Math.floor((e+4)/5)*16;case yu:return Math.floor((i+5)/6)*Math.floor((e+4)/5)*16;case bu:return Math.floor((i+5)/6)*Math.floor((e+5)/6)*16;case xu:return Math.floor((i+7)/8)*Math.floor((e+4)/5)*16;case wu:return Math.floor((i+7)/8)*Math.floor((e+5)/6)*16;case Mu:return Math.floor((i+7)/8)*Math.floor((e+7)/8)*16;case Su:return Math.floor((i+9)/10)*Math.floor((e+4)/5)*16;case Au:return Math.floor((i+9)/10)*Math.floor((e+5)/6)*16;case Eu:return Math.floor((i+9)/10)*Math.floor((e+7)/8)*16;case Tu:return Math.floor((i+9)/10)*Math.floor((e+9)/10)*16;case Cu:return Math.floor((i+11)/12)*Math.floor((e+9)/10)*16;case Pu:return Math.floor((i+11)/12)*Math.floor((e+11)/12)*16;case Ru:case Iu:case Lu:return Math.ceil(i/4)*Math.ceil(e/4)*16;case Du:case Nu:return Math.ceil(i/4)*Math.ceil(e/4)*8;case zl:case Fu:return Math.ceil(i/4)*Math.ceil(e/4)*16}throw new Error(`Unable to determine texture byte length for ${t} format.`)}function x1(i){switch(i){case li:case hm:return{byteLength:1,components:1};case pa:case um:case Qi:return{byteLength:2,components:1};case eu:case tu:return{byteLength:2,components:4};case Ti:case Qh:case ci:return{byteLength:4,components:1};case dm:case pm:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Xe("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function tb(){let i=null,e=!1,t=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),t(r,o)}return{start:function(){e!==!0&&t!==null&&i!==null&&(n=i.requestAnimationFrame(s),e=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),e=!1},setAnimationLoop:function(r){t=r},setContext:function(r){i=r}}}function T1(i){let e=new WeakMap;function t(a,l){let c=a.array,h=a.usage,u=c.byteLength,d=i.createBuffer();i.bindBuffer(l,d),i.bufferData(l,c,h),a.onUploadCallback();let p;if(c instanceof Float32Array)p=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)p=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?p=i.HALF_FLOAT:p=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)p=i.SHORT;else if(c instanceof Uint32Array)p=i.UNSIGNED_INT;else if(c instanceof Int32Array)p=i.INT;else if(c instanceof Int8Array)p=i.BYTE;else if(c instanceof Uint8Array)p=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)p=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:d,type:p,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((p,f)=>p.start-f.start);let d=0;for(let p=1;p<u.length;p++){let f=u[d],y=u[p];y.start<=f.start+f.count+1?f.count=Math.max(f.count,y.start+y.count-f.start):(++d,u[d]=y)}u.length=d+1;for(let p=0,f=u.length;p<f;p++){let y=u[p];i.bufferSubData(c,y.start*h.BYTES_PER_ELEMENT,h,y.start,y.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),e.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=e.get(a);l&&(i.deleteBuffer(l.buffer),e.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=e.get(a);(!h||h.version<a.version)&&e.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=e.get(a);if(c===void 0)e.set(a,t(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var C1=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,P1=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,R1=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,I1=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,L1=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,D1=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,N1=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,F1=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,k1=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,U1=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,O1=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,B1=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,z1=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,V1=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,G1=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,H1=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,W1=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,q1=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,X1=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,$1=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,Y1=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,K1=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,j1=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,J1=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,Z1=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,Q1=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,eA=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,tA=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,nA=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,iA="gl_FragColor = linearToOutputTexel( gl_FragColor );",sA=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,rA=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,oA=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,aA=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,lA=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,cA=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,hA=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,uA=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,dA=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,pA=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,fA=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,mA=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,gA=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,vA=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,_A=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,yA=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,bA=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,xA=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,wA=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,MA=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,SA=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,AA=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,EA=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,TA=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,CA=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,PA=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,RA=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,IA=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,LA=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,DA=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,NA=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,FA=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,kA=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,UA=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,OA=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,BA=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,zA=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,VA=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,GA=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,HA=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,WA=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,qA=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,XA=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,$A=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,YA=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,KA=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,jA=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,JA=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,ZA=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,QA=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,eE=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,tE=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,nE=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,iE=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,sE=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,rE=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,oE=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,aE=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,lE=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,cE=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,hE=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,uE=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,dE=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,pE=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,fE=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,mE=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,gE=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,vE=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,_E=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,yE=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,bE=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,xE=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,wE=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,ME=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,SE=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,AE=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,EE=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,TE=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,CE=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,PE=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,RE=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,IE=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,LE=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,DE=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,NE=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,FE=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,kE=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,UE=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,OE=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,BE=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,zE=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,VE=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,GE=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,HE=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,WE=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,qE=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,XE=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,$E=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,YE=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,KE=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,jE=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,JE=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,ZE=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,QE=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,eT=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,tT=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,nT=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,iT=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,sT=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,rT=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,oT=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,pt={alphahash_fragment:C1,alphahash_pars_fragment:P1,alphamap_fragment:R1,alphamap_pars_fragment:I1,alphatest_fragment:L1,alphatest_pars_fragment:D1,aomap_fragment:N1,aomap_pars_fragment:F1,batching_pars_vertex:k1,batching_vertex:U1,begin_vertex:O1,beginnormal_vertex:B1,bsdfs:z1,iridescence_fragment:V1,bumpmap_pars_fragment:G1,clipping_planes_fragment:H1,clipping_planes_pars_fragment:W1,clipping_planes_pars_vertex:q1,clipping_planes_vertex:X1,color_fragment:$1,color_pars_fragment:Y1,color_pars_vertex:K1,color_vertex:j1,common:J1,defaultnormal_vertex:Z1,displacementmap_pars_vertex:Q1,displacementmap_vertex:eA,emissivemap_fragment:tA,emissivemap_pars_fragment:nA,colorspace_fragment:iA,colorspace_pars_fragment:sA,envmap_fragment:rA,envmap_common_pars_fragment:oA,envmap_pars_fragment:aA,envmap_pars_vertex:lA,envmap_physical_pars_fragment:yA,envmap_vertex:cA,fog_vertex:hA,fog_pars_vertex:uA,fog_fragment:dA,fog_pars_fragment:pA,gradientmap_pars_fragment:fA,lightmap_pars_fragment:mA,lights_lambert_fragment:gA,lights_lambert_pars_fragment:vA,lights_pars_begin:_A,lights_toon_fragment:bA,lights_toon_pars_fragment:xA,lights_phong_fragment:wA,lights_phong_pars_fragment:MA,lights_physical_fragment:SA,lights_physical_pars_fragment:AA,lights_fragment_begin:EA,lights_fragment_maps:TA,lights_fragment_end:CA,lightprobes_pars_fragment:PA,logdepthbuf_fragment:RA,logdepthbuf_pars_fragment:IA,logdepthbuf_pars_vertex:LA,logdepthbuf_vertex:DA,map_fragment:NA,map_pars_fragment:FA,map_particle_fragment:kA,map_particle_pars_fragment:UA,metalnessmap_fragment:OA,metalnessmap_pars_fragment:BA,morphinstance_vertex:zA,morphcolor_vertex:VA,morphnormal_vertex:GA,morphtarget_pars_vertex:HA,morphtarget_vertex:WA,normal_fragment_begin:qA,normal_fragment_maps:XA,normal_pars_fragment:$A,normal_pars_vertex:YA,normal_vertex:KA,normalmap_pars_fragment:jA,clearcoat_normal_fragment_begin:JA,clearcoat_normal_fragment_maps:ZA,clearcoat_pars_fragment:QA,iridescence_pars_fragment:eE,opaque_fragment:tE,packing:nE,premultiplied_alpha_fragment:iE,project_vertex:sE,dithering_fragment:rE,dithering_pars_fragment:oE,roughnessmap_fragment:aE,roughnessmap_pars_fragment:lE,shadowmap_pars_fragment:cE,shadowmap_pars_vertex:hE,shadowmap_vertex:uE,shadowmask_pars_fragment:dE,skinbase_vertex:pE,skinning_pars_vertex:fE,skinning_vertex:mE,skinnormal_vertex:gE,specularmap_fragment:vE,specularmap_pars_fragment:_E,tonemapping_fragment:yE,tonemapping_pars_fragment:bE,transmission_fragment:xE,transmission_pars_fragment:wE,uv_pars_fragment:ME,uv_pars_vertex:SE,uv_vertex:AE,worldpos_vertex:EE,background_vert:TE,background_frag:CE,backgroundCube_vert:PE,backgroundCube_frag:RE,cube_vert:IE,cube_frag:LE,depth_vert:DE,depth_frag:NE,distance_vert:FE,distance_frag:kE,equirect_vert:UE,equirect_frag:OE,linedashed_vert:BE,linedashed_frag:zE,meshbasic_vert:VE,meshbasic_frag:GE,meshlambert_vert:HE,meshlambert_frag:WE,meshmatcap_vert:qE,meshmatcap_frag:XE,meshnormal_vert:$E,meshnormal_frag:YE,meshphong_vert:KE,meshphong_frag:jE,meshphysical_vert:JE,meshphysical_frag:ZE,meshtoon_vert:QE,meshtoon_frag:eT,points_vert:tT,points_frag:nT,shadow_vert:iT,shadow_frag:sT,sprite_vert:rT,sprite_frag:oT},Le={common:{diffuse:{value:new lt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new et},alphaMap:{value:null},alphaMapTransform:{value:new et},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new et}},envmap:{envMap:{value:null},envMapRotation:{value:new et},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new et}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new et}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new et},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new et},normalScale:{value:new ct(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new et},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new et}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new et}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new et}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new lt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new lt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new et},alphaTest:{value:0},uvTransform:{value:new et}},sprite:{diffuse:{value:new lt(16777215)},opacity:{value:1},center:{value:new ct(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new et},alphaMap:{value:null},alphaMapTransform:{value:new et},alphaTest:{value:0}}},vs={basic:{uniforms:Zn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.fog]),vertexShader:pt.meshbasic_vert,fragmentShader:pt.meshbasic_frag},lambert:{uniforms:Zn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,Le.lights,{emissive:{value:new lt(0)},envMapIntensity:{value:1}}]),vertexShader:pt.meshlambert_vert,fragmentShader:pt.meshlambert_frag},phong:{uniforms:Zn([Le.common,Le.specularmap,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,Le.lights,{emissive:{value:new lt(0)},specular:{value:new lt(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:pt.meshphong_vert,fragmentShader:pt.meshphong_frag},standard:{uniforms:Zn([Le.common,Le.envmap,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.roughnessmap,Le.metalnessmap,Le.fog,Le.lights,{emissive:{value:new lt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:pt.meshphysical_vert,fragmentShader:pt.meshphysical_frag},toon:{uniforms:Zn([Le.common,Le.aomap,Le.lightmap,Le.emissivemap,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.gradientmap,Le.fog,Le.lights,{emissive:{value:new lt(0)}}]),vertexShader:pt.meshtoon_vert,fragmentShader:pt.meshtoon_frag},matcap:{uniforms:Zn([Le.common,Le.bumpmap,Le.normalmap,Le.displacementmap,Le.fog,{matcap:{value:null}}]),vertexShader:pt.meshmatcap_vert,fragmentShader:pt.meshmatcap_frag},points:{uniforms:Zn([Le.points,Le.fog]),vertexShader:pt.points_vert,fragmentShader:pt.points_frag},dashed:{uniforms:Zn([Le.common,Le.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:pt.linedashed_vert,fragmentShader:pt.linedashed_frag},depth:{uniforms:Zn([Le.common,Le.displacementmap]),vertexShader:pt.depth_vert,fragmentShader:pt.depth_frag},normal:{uniforms:Zn([Le.common,Le.bumpmap,Le.normalmap,Le.displacementmap,{opacity:{value:1}}]),vertexShader:pt.meshnormal_vert,fragmentShader:pt.meshnormal_frag},sprite:{uniforms:Zn([Le.sprite,Le.fog]),vertexShader:pt.sprite_vert,fragmentShader:pt.sprite_frag},background:{uniforms:{uvTransform:{value:new et},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:pt.background_vert,fragmentShader:pt.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new et}},vertexShader:pt.backgroundCube_vert,fragmentShader:pt.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:pt.cube_vert,fragmentShader:pt.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:pt.equirect_vert,fragmentShader:pt.equirect_frag},distance:{uniforms:Zn([Le.common,Le.displacementmap,{referencePosition:{value:new F},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:pt.distance_vert,fragmentShader:pt.distance_frag},shadow:{uniforms:Zn([Le.lights,Le.fog,{color:{value:new lt(0)},opacity:{value:1}}]),vertexShader:pt.shadow_vert,fragmentShader:pt.shadow_frag}};vs.physical={uniforms:Zn([vs.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new et},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new et},clearcoatNormalScale:{value:new ct(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new et},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new et},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new et},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new et},sheen:{value:0},sheenColor:{value:new lt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new et},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new et},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new et},transmissionSamplerSize:{value:new ct},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new et},attenuationDistance:{value:0},attenuationColor:{value:new lt(0)},specularColor:{value:new lt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new et},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new et},anisotropyVector:{value:new ct},anisotropyMap:{value:null},anisotropyMapTransform:{value:new et}}]),vertexShader:pt.meshphysical_vert,fragmentShader:pt.meshphysical_frag};var Uu={r:0,b:0,g:0},aT=new He,nb=new et;nb.set(-1,0,0,0,1,0,0,0,1);function lT(i,e,t,n,s,r){let o=new lt(0),a=s===!0?0:1,l,c,h=null,u=0,d=null;function p(b){let C=b.isScene===!0?b.background:null;if(C&&C.isTexture){let S=b.backgroundBlurriness>0;C=e.get(C,S)}return C}function f(b){let C=!1,S=p(b);S===null?m(o,a):S&&S.isColor&&(m(S,1),C=!0);let R=i.xr.getEnvironmentBlendMode();R==="additive"?t.buffers.color.setClear(0,0,0,1,r):R==="alpha-blend"&&t.buffers.color.setClear(0,0,0,0,r),(i.autoClear||C)&&(t.buffers.depth.setTest(!0),t.buffers.depth.setMask(!0),t.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function y(b,C){let S=p(C);S&&S.isCubeTexture?(c===void 0&&(c=new qt(new gr(1,1,1),new Xt({name:"BackgroundCubeMaterial",uniforms:Jr(vs.backgroundCube.uniforms),vertexShader:vs.backgroundCube.vertexShader,fragmentShader:vs.backgroundCube.fragmentShader,side:ai,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(R,E,_){this.matrixWorld.copyPosition(_.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=S,c.material.uniforms.backgroundBlurriness.value=C.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=C.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(aT.makeRotationFromEuler(C.backgroundRotation)).transpose(),S.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(nb),c.material.toneMapped=bt.getTransfer(S.colorSpace)!==It,(h!==S||u!==S.version||d!==i.toneMapping)&&(c.material.needsUpdate=!0,h=S,u=S.version,d=i.toneMapping),c.layers.enableAll(),b.unshift(c,c.geometry,c.material,0,0,null)):S&&S.isTexture&&(l===void 0&&(l=new qt(new Xr(2,2),new Xt({name:"BackgroundMaterial",uniforms:Jr(vs.background.uniforms),vertexShader:vs.background.vertexShader,fragmentShader:vs.background.fragmentShader,side:br,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=S,l.material.uniforms.backgroundIntensity.value=C.backgroundIntensity,l.material.toneMapped=bt.getTransfer(S.colorSpace)!==It,S.matrixAutoUpdate===!0&&S.updateMatrix(),l.material.uniforms.uvTransform.value.copy(S.matrix),(h!==S||u!==S.version||d!==i.toneMapping)&&(l.material.needsUpdate=!0,h=S,u=S.version,d=i.toneMapping),l.layers.enableAll(),b.unshift(l,l.geometry,l.material,0,0,null))}function m(b,C){b.getRGB(Uu,xm(i)),t.buffers.color.setClear(Uu.r,Uu.g,Uu.b,C,r)}function g(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(b,C=1){o.set(b),a=C,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(b){a=b,m(o,a)},render:f,addToRenderList:y,dispose:g}}function cT(i,e){let t=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=d(null),r=s,o=!1;function a(I,z,H,D,W){let Y=!1,G=u(I,D,H,z);r!==G&&(r=G,c(r.object)),Y=p(I,D,H,W),Y&&f(I,D,H,W),W!==null&&e.update(W,i.ELEMENT_ARRAY_BUFFER),(Y||o)&&(o=!1,S(I,z,H,D),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,e.get(W).buffer))}function l(){return i.createVertexArray()}function c(I){return i.bindVertexArray(I)}function h(I){return i.deleteVertexArray(I)}function u(I,z,H,D){let W=D.wireframe===!0,Y=n[z.id];Y===void 0&&(Y={},n[z.id]=Y);let G=I.isInstancedMesh===!0?I.id:0,ce=Y[G];ce===void 0&&(ce={},Y[G]=ce);let J=ce[H.id];J===void 0&&(J={},ce[H.id]=J);let Q=J[W];return Q===void 0&&(Q=d(l()),J[W]=Q),Q}function d(I){let z=[],H=[],D=[];for(let W=0;W<t;W++)z[W]=0,H[W]=0,D[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:z,enabledAttributes:H,attributeDivisors:D,object:I,attributes:{},index:null}}function p(I,z,H,D){let W=r.attributes,Y=z.attributes,G=0,ce=H.getAttributes();for(let J in ce)if(ce[J].location>=0){let se=W[J],de=Y[J];if(de===void 0&&(J==="instanceMatrix"&&I.instanceMatrix&&(de=I.instanceMatrix),J==="instanceColor"&&I.instanceColor&&(de=I.instanceColor)),se===void 0||se.attribute!==de||de&&se.data!==de.data)return!0;G++}return r.attributesNum!==G||r.index!==D}function f(I,z,H,D){let W={},Y=z.attributes,G=0,ce=H.getAttributes();for(let J in ce)if(ce[J].location>=0){let se=Y[J];se===void 0&&(J==="instanceMatrix"&&I.instanceMatrix&&(se=I.instanceMatrix),J==="instanceColor"&&I.instanceColor&&(se=I.instanceColor));let de={};de.attribute=se,se&&se.data&&(de.data=se.data),W[J]=de,G++}r.attributes=W,r.attributesNum=G,r.index=D}function y(){let I=r.newAttributes;for(let z=0,H=I.length;z<H;z++)I[z]=0}function m(I){g(I,0)}function g(I,z){let H=r.newAttributes,D=r.enabledAttributes,W=r.attributeDivisors;H[I]=1,D[I]===0&&(i.enableVertexAttribArray(I),D[I]=1),W[I]!==z&&(i.vertexAttribDivisor(I,z),W[I]=z)}function b(){let I=r.newAttributes,z=r.enabledAttributes;for(let H=0,D=z.length;H<D;H++)z[H]!==I[H]&&(i.disableVertexAttribArray(H),z[H]=0)}function C(I,z,H,D,W,Y,G){G===!0?i.vertexAttribIPointer(I,z,H,W,Y):i.vertexAttribPointer(I,z,H,D,W,Y)}function S(I,z,H,D){y();let W=D.attributes,Y=H.getAttributes(),G=z.defaultAttributeValues;for(let ce in Y){let J=Y[ce];if(J.location>=0){let Q=W[ce];if(Q===void 0&&(ce==="instanceMatrix"&&I.instanceMatrix&&(Q=I.instanceMatrix),ce==="instanceColor"&&I.instanceColor&&(Q=I.instanceColor)),Q!==void 0){let se=Q.normalized,de=Q.itemSize,ue=e.get(Q);if(ue===void 0)continue;let ee=ue.buffer,me=ue.type,_e=ue.bytesPerElement,Te=me===i.INT||me===i.UNSIGNED_INT||Q.gpuType===Qh;if(Q.isInterleavedBufferAttribute){let we=Q.data,We=we.isInterleavedBuffer===!0?we.stride:we.itemSize,st=Q.offset;if(we.isInstancedInterleavedBuffer||we.isInstancedBufferAttribute){for(let Ve=0;Ve<J.locationSize;Ve++)g(J.location+Ve,we.meshPerAttribute);I.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=we.meshPerAttribute*we.count)}else for(let Ve=0;Ve<J.locationSize;Ve++)m(J.location+Ve);i.bindBuffer(i.ARRAY_BUFFER,ee);for(let Ve=0;Ve<J.locationSize;Ve++)C(J.location+Ve,de/J.locationSize,me,se,We*_e,(st+de/J.locationSize*Ve)*_e,Te)}else{if(Q.isInstancedBufferAttribute){for(let we=0;we<J.locationSize;we++)g(J.location+we,Q.meshPerAttribute);I.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let we=0;we<J.locationSize;we++)m(J.location+we);i.bindBuffer(i.ARRAY_BUFFER,ee);for(let we=0;we<J.locationSize;we++)C(J.location+we,de/J.locationSize,me,se,de*_e,de/J.locationSize*we*_e,Te)}}else if(G!==void 0){let se=G[ce];if(se!==void 0)switch(se.length){case 2:i.vertexAttrib2fv(J.location,se);break;case 3:i.vertexAttrib3fv(J.location,se);break;case 4:i.vertexAttrib4fv(J.location,se);break;default:i.vertexAttrib1fv(J.location,se)}}}}b()}function R(){B();for(let I in n){let z=n[I];for(let H in z){let D=z[H];for(let W in D){let Y=D[W];for(let G in Y)h(Y[G].object),delete Y[G];delete D[W]}}delete n[I]}}function E(I){if(n[I.id]===void 0)return;let z=n[I.id];for(let H in z){let D=z[H];for(let W in D){let Y=D[W];for(let G in Y)h(Y[G].object),delete Y[G];delete D[W]}}delete n[I.id]}function _(I){for(let z in n){let H=n[z];for(let D in H){let W=H[D];if(W[I.id]===void 0)continue;let Y=W[I.id];for(let G in Y)h(Y[G].object),delete Y[G];delete W[I.id]}}}function A(I){for(let z in n){let H=n[z],D=I.isInstancedMesh===!0?I.id:0,W=H[D];if(W!==void 0){for(let Y in W){let G=W[Y];for(let ce in G)h(G[ce].object),delete G[ce];delete W[Y]}delete H[D],Object.keys(H).length===0&&delete n[z]}}}function B(){N(),o=!0,r!==s&&(r=s,c(r.object))}function N(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:B,resetDefaultState:N,dispose:R,releaseStatesOfGeometry:E,releaseStatesOfObject:A,releaseStatesOfProgram:_,initAttributes:y,enableAttribute:m,disableUnusedAttributes:b}}function hT(i,e,t){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),t.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),t.update(c,n,h))}function a(l,c,h){if(h===0)return;e.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let d=0;for(let p=0;p<h;p++)d+=c[p];t.update(d,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function uT(i,e,t,n){let s;function r(){if(s!==void 0)return s;if(e.has("EXT_texture_filter_anisotropic")===!0){let _=e.get("EXT_texture_filter_anisotropic");s=i.getParameter(_.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(_){return!(_!==Jn&&n.convert(_)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(_){let A=_===Qi&&(e.has("EXT_color_buffer_half_float")||e.has("EXT_color_buffer_float"));return!(_!==li&&_!==ci&&!A&&n.convert(_)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(_){if(_==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";_="mediump"}return _==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=t.precision!==void 0?t.precision:"highp",h=l(c);h!==c&&(Xe("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=t.reversedDepthBuffer===!0&&e.has("EXT_clip_control"),d=t.logarithmicDepthBuffer===!0&&u===!1;t.reversedDepthBuffer===!0&&u===!1&&Xe("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),t.logarithmicDepthBuffer===!0&&u===!0&&Xe("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let p=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),f=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),y=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),g=i.getParameter(i.MAX_VERTEX_ATTRIBS),b=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),C=i.getParameter(i.MAX_VARYING_VECTORS),S=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),R=i.getParameter(i.MAX_SAMPLES),E=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:p,maxVertexTextures:f,maxTextureSize:y,maxCubemapSize:m,maxAttributes:g,maxVertexUniforms:b,maxVaryings:C,maxFragmentUniforms:S,maxSamples:R,samples:E}}function dT(i){let e=this,t=null,n=0,s=!1,r=!1,o=new Yi,a=new et,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){let p=u.length!==0||d||n!==0||s;return s=d,n=u.length,p},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){t=h(u,d,0)},this.setState=function(u,d,p){let f=u.clippingPlanes,y=u.clipIntersection,m=u.clipShadows,g=i.get(u);if(!s||f===null||f.length===0||r&&!m)r?h(null):c();else{let b=r?0:n,C=b*4,S=g.clippingState||null;l.value=S,S=h(f,d,C,p);for(let R=0;R!==C;++R)S[R]=t[R];g.clippingState=S,this.numIntersection=y?this.numPlanes:0,this.numPlanes+=b}};function c(){l.value!==t&&(l.value=t,l.needsUpdate=n>0),e.numPlanes=n,e.numIntersection=0}function h(u,d,p,f){let y=u!==null?u.length:0,m=null;if(y!==0){if(m=l.value,f!==!0||m===null){let g=p+y*4,b=d.matrixWorldInverse;a.getNormalMatrix(b),(m===null||m.length<g)&&(m=new Float32Array(g));for(let C=0,S=p;C!==y;++C,S+=4)o.copy(u[C]).applyMatrix4(b,a),o.normal.toArray(m,S),m[S+3]=o.constant}l.value=m,l.needsUpdate=!0}return e.numPlanes=y,e.numIntersection=0,m}}var Wl=class extends Xn{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},s=[n,n,n,n,n,n];this.texture=new Al(s),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new gr(5,5,5),r=new Xt({name:"CubemapFromEquirect",uniforms:Jr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:ai,blending:$r});r.uniforms.tEquirect.value=t;let o=new qt(s,r),a=t.minFilter;return t.minFilter===Zi&&(t.minFilter=vn),new ca(1,10,this).update(e,o),t.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(e,t=!0,n=!0,s=!0){let r=e.getRenderTarget();for(let o=0;o<6;o++)e.setRenderTarget(this,o),e.clear(t,n,s);e.setRenderTarget(r)}},Ny=256,pT=3,fT=20,ib=256,sb=16,mT=3,gT=new F,vT=new lt,Bu=class i{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new ca(1,10,null),this._boxMesh=new qt(new gr(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,s=100,r={}){let{size:o=256,position:a=gT}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);t>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,d=l.autoClearColor,p=l.autoClearDepth,f=l.autoClearStencil,y=e.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,y===null&&(e.background=l.getClearColor(vT));let m=new ca(n,s,h);return m.position.copy(a),m.update(l,e),l.autoClear=u,l.autoClearColor=d,l.autoClearDepth=p,l.autoClearStencil=f,e.background=y,t>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=Uy(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=ky(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(Ny,Ey(e))}_fromTexture(e,t){e.mapping===Kr||e.mapping===da?this._setSize(e.image.length===0?Ny:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=Fy(e,!1,!1),n=Math.log2(e)-pT;for(let s=0;s<=n;s++)t.texture.mipmaps.push({width:e>>s,height:e>>s});return t.texture.name="PMREM",t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=Fy(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=e,r.activeMipmapLevel=t;let o=e.width>>t;e.viewport.set(0,0,o,o),r.update(this._renderer,s),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===Kr||e.mapping===da?(this._cubemapMaterial===null&&(this._cubemapMaterial=Uy()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=ky()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(e){this._ggxMaterial===null&&(this._ggxMaterial=_T(),this._integrationMaterial=yT());let t=this._cubeSize,n=e.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(t/sb);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-mT)r.roughness.value=a,this._renderCube(e,o,this._integrationMaterial);else{let l=a>0?Math.log2(t)+.5*Math.log2(6/(ib*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(e,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=bT());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(e,0,n),s.envMap.value=e.texture,this._renderCube(r,0,n)}};function Fy(i,e,t){return new Wl(i,{minFilter:Zi,generateMipmaps:e,type:Qi,colorSpace:pl,depthBuffer:t})}function ql(i,e,t){return new Xt({name:i,uniforms:e,vertexShader:pt.cube_vert,fragmentShader:t,side:ai,blending:$r,depthTest:!1,depthWrite:!1})}function _T(){return ql("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${ib}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function yT(){return ql("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:sb}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function bT(){return ql("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${fT}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function ky(){return ql("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function Uy(){return ql("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function xT(i){let e=new WeakMap,t=new WeakMap,n=null;function s(d,p=!1){return d==null?null:p?o(d):r(d)}function r(d){if(d&&d.isTexture){let p=d.mapping;if(p===jh||p===Jh)if(e.has(d)){let f=e.get(d).texture;return a(f,d.mapping)}else{let f=d.image;if(f&&f.height>0){let y=new Wl(f.height);return y.fromEquirectangularTexture(i,d),e.set(d,y),d.addEventListener("dispose",c),a(y.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let p=d.mapping,f=p===jh||p===Jh,y=p===Kr||p===da;if(f||y){let m=t.get(d),g=m!==void 0?m.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==g)return n===null&&(n=new Bu(i)),m=f?n.fromEquirectangular(d,m):n.fromCubemap(d,m),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),m.texture;if(m!==void 0)return m.texture;{let b=d.image;return f&&b&&b.height>0||y&&b&&l(b)?(n===null&&(n=new Bu(i)),m=f?n.fromEquirectangular(d):n.fromCubemap(d),m.texture.pmremVersion=d.pmremVersion,t.set(d,m),d.addEventListener("dispose",h),m.texture):null}}}return d}function a(d,p){return p===jh?d.mapping=Kr:p===Jh&&(d.mapping=da),d}function l(d){let p=0,f=6;for(let y=0;y<f;y++)d[y]!==void 0&&p++;return p===f}function c(d){let p=d.target;p.removeEventListener("dispose",c);let f=e.get(p);f!==void 0&&(e.delete(p),f.dispose())}function h(d){let p=d.target;p.removeEventListener("dispose",h);let f=t.get(p);f!==void 0&&(t.delete(p),f.dispose())}function u(){e=new WeakMap,t=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function wT(i){let e={};function t(n){if(e[n]!==void 0)return e[n];let s=i.getExtension(n);return e[n]=s,s}return{has:function(n){return t(n)!==null},init:function(){t("EXT_color_buffer_float"),t("WEBGL_clip_cull_distance"),t("OES_texture_float_linear"),t("EXT_color_buffer_half_float"),t("WEBGL_multisampled_render_to_texture"),t("WEBGL_render_shared_exponent")},get:function(n){let s=t(n);return s===null&&ul("WebGLRenderer: "+n+" extension not supported."),s}}}function MT(i,e,t,n){let s={},r=new WeakMap,o=new FinalizationRegistry(f=>delete s[f]);function a(f){l(f.target)}function l(f){f.index!==null&&e.remove(f.index);for(let m in f.attributes)e.remove(f.attributes[m]);f.removeEventListener("dispose",a),delete s[f.id],o.unregister(f);let y=r.get(f);y&&(e.remove(y),r.delete(f)),n.releaseStatesOfGeometry(f),f.isInstancedBufferGeometry===!0&&delete f._maxInstanceCount,t.memory.geometries--}function c(f,y){return s[y.id]!==void 0||(y.addEventListener("dispose",a),s[y.id]=new WeakRef(y),o.register(y,y.id,y),t.memory.geometries++),y}function h(f){let y=f.attributes;for(let m in y)e.update(y[m],i.ARRAY_BUFFER)}function u(f){let y=f.index,m=f.attributes.position,g=0;if(m===void 0)return;let b=y!==null?y.array.length:m.array.length/3-1,C=m.count>=65535?bl:Gr,S=new C(Math.ceil(b/3)*6,1),R=S.array;if(y!==null){let _=y.array;g=y.version;for(let A=0,B=0;A<b;A+=3){let N=_[A+0],I=_[A+1],z=_[A+2];R[B++]=N,R[B++]=I,R[B++]=I,R[B++]=z,R[B++]=z,R[B++]=N}}else{g=m.version;for(let _=0,A=0;_<b;_+=3){let B=_+0,N=_+1,I=_+2;R[A++]=B,R[A++]=N,R[A++]=N,R[A++]=I,R[A++]=I,R[A++]=B}}S.version=g;let E=r.get(f);E&&e.remove(E),r.set(f,S)}function d(f){let y=r.get(f);if(y){let m=f.index;m!==null&&y.version<m.version&&u(f)}else u(f);return r.get(f)}function p(){for(let f in s){let y=s[f].deref();y!==void 0&&l(y)}}return{get:c,update:h,getWireframeAttribute:d,dispose:p}}function ST(i,e,t){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,d){i.drawElements(n,d,r,u*o),t.update(d,n,1)}function c(u,d,p){p!==0&&(i.drawElementsInstanced(n,d,r,u*o,p),t.update(d,n,p))}function h(u,d,p){if(p===0)return;e.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,d,0,r,u,0,p);let y=0;for(let m=0;m<p;m++)y+=d[m];t.update(y,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function AT(i){let e={geometries:0,textures:0},t={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(t.calls++,o){case i.TRIANGLES:t.triangles+=a*(r/3);break;case i.LINES:t.lines+=a*(r/2);break;case i.LINE_STRIP:t.lines+=a*(r-1);break;case i.LINE_LOOP:t.lines+=a*r;break;case i.POINTS:t.points+=a*r;break;default:Ze("WebGLInfo: Unknown draw mode:",o);break}}function s(){t.calls=0,t.triangles=0,t.points=0,t.lines=0}return{memory:e,render:t,programs:null,autoReset:!0,reset:s,update:n}}function ET(i,e,t){let n=new WeakMap,s=new xt;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,d=n.get(a);if(d===void 0||d.count!==u){let B=function(){_.dispose(),n.delete(a),a.removeEventListener("dispose",B)};d!==void 0&&d.texture.dispose();let p=a.morphAttributes.position!==void 0,f=a.morphAttributes.normal!==void 0,y=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],g=a.morphAttributes.normal||[],b=a.morphAttributes.color||[],C=0;p===!0&&(C=1),f===!0&&(C=2),y===!0&&(C=3);let S=a.attributes.position.count*C,R=1;S>e.maxTextureSize&&(R=Math.ceil(S/e.maxTextureSize),S=e.maxTextureSize);let E=new Float32Array(S*R*4*u),_=new _l(E,S,R,u);_.type=ci,_.needsUpdate=!0;let A=C*4;for(let N=0;N<u;N++){let I=m[N],z=g[N],H=b[N],D=S*R*4*N;for(let W=0;W<I.count;W++){let Y=W*A;p===!0&&(s.fromBufferAttribute(I,W),E[D+Y+0]=s.x,E[D+Y+1]=s.y,E[D+Y+2]=s.z,E[D+Y+3]=0),f===!0&&(s.fromBufferAttribute(z,W),E[D+Y+4]=s.x,E[D+Y+5]=s.y,E[D+Y+6]=s.z,E[D+Y+7]=0),y===!0&&(s.fromBufferAttribute(H,W),E[D+Y+8]=s.x,E[D+Y+9]=s.y,E[D+Y+10]=s.z,E[D+Y+11]=H.itemSize===4?s.w:1)}}d={count:u,texture:_,size:new ct(S,R)},n.set(a,d),a.addEventListener("dispose",B)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,t);else{let p=0;for(let y=0;y<c.length;y++)p+=c[y];let f=a.morphTargetsRelative?1:1-p;l.getUniforms().setValue(i,"morphTargetBaseInfluence",f),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",d.texture,t),l.getUniforms().setValue(i,"morphTargetsTextureSize",d.size)}return{update:r}}function TT(i,e,t,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,d=e.get(c,u);if(r.get(d)!==h&&(e.update(d),r.set(d,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(t.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&t.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let p=c.skeleton;r.get(p)!==h&&(p.update(),r.set(p,h))}return d}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),t.remove(h.instanceMatrix),h.instanceColor!==null&&t.remove(h.instanceColor)}return{update:o,dispose:a}}var CT={[nm]:"LINEAR_TONE_MAPPING",[im]:"REINHARD_TONE_MAPPING",[sm]:"CINEON_TONE_MAPPING",[rm]:"ACES_FILMIC_TONE_MAPPING",[am]:"AGX_TONE_MAPPING",[lm]:"NEUTRAL_TONE_MAPPING",[om]:"CUSTOM_TONE_MAPPING"};function PT(i,e,t,n,s,r){let o=new Xn(e,t,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new ht;h.setAttribute("position",new en([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new en([0,2,0,0,2,0],2));let u=new kh({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new qt(h,u),p=new la(-1,1,1,-1,0,1),f=null,y=null,m=!1,g,b=null,C=[],S=!1;this.setSize=function(R,E){o.setSize(R,E),a!==null&&a.setSize(R,E),l!==null&&l.setSize(R,E);for(let _=0;_<C.length;_++){let A=C[_];A.setSize&&A.setSize(R,E)}},this.setEffects=function(R){C=R,S=C.length>0&&C[0].isRenderPass===!0;let E=o.width,_=o.height;C.length>0&&a===null&&(a=new Xn(E,_,{type:Qi,depthBuffer:!1,stencilBuffer:!1}),l=new Xn(E,_,{type:Qi,depthBuffer:!1,stencilBuffer:!1}));let A=s===!0&&C.some(B=>B.needsDepthTexture===!0);A!==(o.depthTexture!==null)&&(A===!0&&c===null&&(c=new Ji(E,_),r===!0&&(c.format=Gs,c.type=jr)),o.dispose(),o.depthTexture=A?c:null,o.resolveDepthBuffer=A,o.storeMultisampledDepthBuffer=A);for(let B=0;B<C.length;B++){let N=C[B];N.setSize&&N.setSize(E,_),A&&N.needsDepthTexture===!0&&N.setDepthTexture&&N.setDepthTexture(c)}},this.begin=function(R,E){if(m||R.toneMapping===ms&&C.length===0)return!1;if(b=E,E!==null){let _=E.width,A=E.height;(o.width!==_||o.height!==A)&&this.setSize(_,A)}return S===!1&&R.setRenderTarget(o),g=R.toneMapping,R.toneMapping=ms,!0},this.hasRenderPass=function(){return S},this.end=function(R,E){R.toneMapping=g,m=!0;let _=o,A=a;for(let B=0;B<C.length;B++){let N=C[B];N.enabled!==!1&&(N.render(R,A,_,E),N.needsSwap!==!1&&(_=A,A=A===a?l:a))}if(f!==R.outputColorSpace||y!==R.toneMapping){f=R.outputColorSpace,y=R.toneMapping,u.defines={},bt.getTransfer(f)===It&&(u.defines.SRGB_TRANSFER="");let B=CT[y];B&&(u.defines[B]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=_.texture,R.setRenderTarget(b),R.render(d,p),b=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var rb=new ri,ob=new Ji(1,1),ab=new El(1),lb=new _l,cb=new ta,hb=new Al,Oy=[],By=[],zy=new Float32Array(16),Vy=new Float32Array(9),Gy=new Float32Array(4);function ma(i,e,t){let n=i[0];if(n<=0||n>0)return i;let s=e*t,r=Oy[s];if(r===void 0&&(r=new Float32Array(s),Oy[s]=r),e!==0){n.toArray(r,0);for(let o=1,a=0;o!==e;++o)a+=t,i[o].toArray(r,a)}return r}function Rn(i,e){if(i.length!==e.length)return!1;for(let t=0,n=i.length;t<n;t++)if(i[t]!==e[t])return!1;return!0}function In(i,e){for(let t=0,n=e.length;t<n;t++)i[t]=e[t]}function Vu(i,e){let t=By[e];t===void 0&&(t=new Int32Array(e),By[e]=t);for(let n=0;n!==e;++n)t[n]=i.allocateTextureUnit();return t}function RT(i,e){let t=this.cache;t[0]!==e&&(i.uniform1f(this.addr,e),t[0]=e)}function IT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2f(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(Rn(t,e))return;i.uniform2fv(this.addr,e),In(t,e)}}function LT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3f(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else if(e.r!==void 0)(t[0]!==e.r||t[1]!==e.g||t[2]!==e.b)&&(i.uniform3f(this.addr,e.r,e.g,e.b),t[0]=e.r,t[1]=e.g,t[2]=e.b);else{if(Rn(t,e))return;i.uniform3fv(this.addr,e),In(t,e)}}function DT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4f(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(Rn(t,e))return;i.uniform4fv(this.addr,e),In(t,e)}}function NT(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(Rn(t,e))return;i.uniformMatrix2fv(this.addr,!1,e),In(t,e)}else{if(Rn(t,n))return;Gy.set(n),i.uniformMatrix2fv(this.addr,!1,Gy),In(t,n)}}function FT(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(Rn(t,e))return;i.uniformMatrix3fv(this.addr,!1,e),In(t,e)}else{if(Rn(t,n))return;Vy.set(n),i.uniformMatrix3fv(this.addr,!1,Vy),In(t,n)}}function kT(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(Rn(t,e))return;i.uniformMatrix4fv(this.addr,!1,e),In(t,e)}else{if(Rn(t,n))return;zy.set(n),i.uniformMatrix4fv(this.addr,!1,zy),In(t,n)}}function UT(i,e){let t=this.cache;t[0]!==e&&(i.uniform1i(this.addr,e),t[0]=e)}function OT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2i(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(Rn(t,e))return;i.uniform2iv(this.addr,e),In(t,e)}}function BT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3i(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(Rn(t,e))return;i.uniform3iv(this.addr,e),In(t,e)}}function zT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4i(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(Rn(t,e))return;i.uniform4iv(this.addr,e),In(t,e)}}function VT(i,e){let t=this.cache;t[0]!==e&&(i.uniform1ui(this.addr,e),t[0]=e)}function GT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2ui(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(Rn(t,e))return;i.uniform2uiv(this.addr,e),In(t,e)}}function HT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3ui(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(Rn(t,e))return;i.uniform3uiv(this.addr,e),In(t,e)}}function WT(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4ui(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(Rn(t,e))return;i.uniform4uiv(this.addr,e),In(t,e)}}function Gu(i){return i.version===0&&(i.compareFunction=_m,i.needsUpdate=!0),i}function qT(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=Gu(ob):r=rb,t.setTexture2D(e||r,s)}function XT(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture3D(e||cb,s)}function $T(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=Gu(ab):r=hb,t.setTextureCube(e||r,s)}function YT(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture2DArray(e||lb,s)}function KT(i){switch(i){case 5126:return RT;case 35664:return IT;case 35665:return LT;case 35666:return DT;case 35674:return NT;case 35675:return FT;case 35676:return kT;case 5124:case 35670:return UT;case 35667:case 35671:return OT;case 35668:case 35672:return BT;case 35669:case 35673:return zT;case 5125:return VT;case 36294:return GT;case 36295:return HT;case 36296:return WT;case 35678:case 36198:case 36298:case 36306:case 35682:return qT;case 35679:case 36299:case 36307:return XT;case 35680:case 36300:case 36308:case 36293:return $T;case 36289:case 36303:case 36311:case 36292:return YT}}function jT(i,e){i.uniform1fv(this.addr,e)}function JT(i,e){let t=ma(e,this.size,2);i.uniform2fv(this.addr,t)}function ZT(i,e){let t=ma(e,this.size,3);i.uniform3fv(this.addr,t)}function QT(i,e){let t=ma(e,this.size,4);i.uniform4fv(this.addr,t)}function eC(i,e){let t=ma(e,this.size,4);i.uniformMatrix2fv(this.addr,!1,t)}function tC(i,e){let t=ma(e,this.size,9);i.uniformMatrix3fv(this.addr,!1,t)}function nC(i,e){let t=ma(e,this.size,16);i.uniformMatrix4fv(this.addr,!1,t)}function iC(i,e){i.uniform1iv(this.addr,e)}function sC(i,e){i.uniform2iv(this.addr,e)}function rC(i,e){i.uniform3iv(this.addr,e)}function oC(i,e){i.uniform4iv(this.addr,e)}function aC(i,e){i.uniform1uiv(this.addr,e)}function lC(i,e){i.uniform2uiv(this.addr,e)}function cC(i,e){i.uniform3uiv(this.addr,e)}function hC(i,e){i.uniform4uiv(this.addr,e)}function uC(i,e,t){let n=this.cache,s=e.length,r=Vu(t,s);Rn(n,r)||(i.uniform1iv(this.addr,r),In(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=Gu(ob):o=rb;for(let a=0;a!==s;++a)t.setTexture2D(e[a]||o,r[a])}function dC(i,e,t){let n=this.cache,s=e.length,r=Vu(t,s);Rn(n,r)||(i.uniform1iv(this.addr,r),In(n,r));for(let o=0;o!==s;++o)t.setTexture3D(e[o]||cb,r[o])}function pC(i,e,t){let n=this.cache,s=e.length,r=Vu(t,s);Rn(n,r)||(i.uniform1iv(this.addr,r),In(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=Gu(ab):o=hb;for(let a=0;a!==s;++a)t.setTextureCube(e[a]||o,r[a])}function fC(i,e,t){let n=this.cache,s=e.length,r=Vu(t,s);Rn(n,r)||(i.uniform1iv(this.addr,r),In(n,r));for(let o=0;o!==s;++o)t.setTexture2DArray(e[o]||lb,r[o])}function mC(i){switch(i){case 5126:return jT;case 35664:return JT;case 35665:return ZT;case 35666:return QT;case 35674:return eC;case 35675:return tC;case 35676:return nC;case 5124:case 35670:return iC;case 35667:case 35671:return sC;case 35668:case 35672:return rC;case 35669:case 35673:return oC;case 5125:return aC;case 36294:return lC;case 36295:return cC;case 36296:return hC;case 35678:case 36198:case 36298:case 36306:case 35682:return uC;case 35679:case 36299:case 36307:return dC;case 35680:case 36300:case 36308:case 36293:return pC;case 36289:case 36303:case 36311:case 36292:return fC}}var Tm=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=KT(t.type)}},Cm=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=mC(t.type)}},Pm=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(e,t[a.id],n)}}},Am=/(\w+)(\])?(\[|\.)?/g;function Hy(i,e){i.seq.push(e),i.map[e.id]=e}function gC(i,e,t){let n=i.name,s=n.length;for(Am.lastIndex=0;;){let r=Am.exec(n),o=Am.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){Hy(t,c===void 0?new Tm(a,i,e):new Cm(a,i,e));break}else{let u=t.map[a];u===void 0&&(u=new Pm(a),Hy(t,u)),t=u}}}var fa=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=e.getActiveUniform(t,o),l=e.getUniformLocation(t,a.name);gC(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===e.SAMPLER_2D_SHADOW||o.type===e.SAMPLER_CUBE_SHADOW||o.type===e.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(e,t,n,s){let r=this.map[t];r!==void 0&&r.setValue(e,n,s)}setOptional(e,t,n){let s=t[n];s!==void 0&&this.setValue(e,n,s)}static upload(e,t,n,s){for(let r=0,o=t.length;r!==o;++r){let a=t[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(e,l.value,s)}}static seqWithValue(e,t){let n=[];for(let s=0,r=e.length;s!==r;++s){let o=e[s];o.id in t&&n.push(o)}return n}};function Wy(i,e,t){let n=i.createShader(e);return i.shaderSource(n,t),i.compileShader(n),n}var vC=37297,_C=0;function yC(i,e){let t=i.split(`
`),n=[],s=Math.max(e-6,0),r=Math.min(e+6,t.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===e?">":" "} ${a}: ${t[o]}`)}return n.join(`
`)}var qy=new et;function bC(i){bt._getMatrix(qy,bt.workingColorSpace,i);let e=`mat3( ${qy.elements.map(t=>t.toFixed(4))} )`;switch(bt.getTransfer(i)){case fl:return[e,"LinearTransferOETF"];case It:return[e,"sRGBTransferOETF"];default:return Xe("WebGLProgram: Unsupported color space: ",i),[e,"LinearTransferOETF"]}}function Xy(i,e,t){let n=i.getShaderParameter(e,i.COMPILE_STATUS),r=(i.getShaderInfoLog(e)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return t.toUpperCase()+`

`+r+`

`+yC(i.getShaderSource(e),a)}else return r}function xC(i,e){let t=bC(e);return[`vec4 ${i}( vec4 value ) {`,`	return ${t[1]}( vec4( ${t[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var wC={[nm]:"Linear",[im]:"Reinhard",[sm]:"Cineon",[rm]:"ACESFilmic",[am]:"AgX",[lm]:"Neutral",[om]:"Custom"};function MC(i,e){let t=wC[e];return t===void 0?(Xe("WebGLProgram: Unsupported toneMapping:",e),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+t+"ToneMapping( color ); }"}var Ou=new F;function SC(){bt.getLuminanceCoefficients(Ou);let i=Ou.x.toFixed(4),e=Ou.y.toFixed(4),t=Ou.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${e}, ${t} );`,"	return dot( weights, rgb );","}"].join(`
`)}function AC(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Hl).join(`
`)}function EC(i){let e=[];for(let t in i){let n=i[t];n!==!1&&e.push("#define "+t+" "+n)}return e.join(`
`)}function TC(i,e){let t={},n=i.getProgramParameter(e,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(e,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),t[o]={type:r.type,location:i.getAttribLocation(e,o),locationSize:a}}return t}function Hl(i){return i!==""}function $y(i,e){let t=e.numSpotLightShadows+e.numSpotLightMaps-e.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,e.numSunLights).replace(/NUM_DIR_LIGHTS/g,e.numDirLights).replace(/NUM_SPOT_LIGHTS/g,e.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,e.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,t).replace(/NUM_RECT_AREA_LIGHTS/g,e.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,e.numPointLights).replace(/NUM_HEMI_LIGHTS/g,e.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,e.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,e.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,e.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,e.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,e.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,e.numLightProbeGrids)}function Yy(i,e){return i.replace(/NUM_CLIPPING_PLANES/g,e.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,e.numClippingPlanes-e.numClipIntersection)}var CC=/^[ \t]*#include +<([\w\d./]+)>/gm;function Rm(i){return i.replace(CC,PC)}function PC(i,e){let t=pt[e];if(t===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+e+">");return Rm(t)}var RC=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Ky(i){return i.replace(RC,IC)}function IC(i,e,t,n){let s="";for(let r=parseInt(e);r<parseInt(t);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function jy(i){let e=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?e+=`
#define HIGH_PRECISION`:i.precision==="mediump"?e+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(e+=`
#define LOW_PRECISION`),e}var LC={[Ll]:"SHADOWMAP_TYPE_PCF",[ha]:"SHADOWMAP_TYPE_VSM"};function DC(i){return LC[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var NC={[da]:"ENVMAP_MODE_REFRACTION"};function FC(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":NC[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var kC={[tm]:"ENVMAP_BLENDING_MULTIPLY",[hy]:"ENVMAP_BLENDING_MIX",[uy]:"ENVMAP_BLENDING_ADD"};function UC(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":kC[i.combine]||"ENVMAP_BLENDING_NONE"}function OC(i,e,t,n){let s=i.getContext(),r=t.defines,o=t.vertexShader,a=t.fragmentShader,l=DC(t),c=t.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=FC(t),u=UC(t),d=AC(t),p=EC(r),f=s.createProgram(),y,m,g=t.glslVersion?"#version "+t.glslVersion+`
`:"";t.isRawShaderMaterial?(y=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,p].filter(Hl).join(`
`),y.length>0&&(y+=`
`),m=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,p].filter(Hl).join(`
`),m.length>0&&(m+=`
`)):(y=[jy(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,p,t.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",t.batching?"#define USE_BATCHING":"",t.batchingColor?"#define USE_BATCHING_COLOR":"",t.instancing?"#define USE_INSTANCING":"",t.instancingColor?"#define USE_INSTANCING_COLOR":"",t.instancingMorph?"#define USE_INSTANCING_MORPH":"",t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.map?"#define USE_MAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+h:"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.displacementMap?"#define USE_DISPLACEMENTMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.mapUv?"#define MAP_UV "+t.mapUv:"",t.alphaMapUv?"#define ALPHAMAP_UV "+t.alphaMapUv:"",t.lightMapUv?"#define LIGHTMAP_UV "+t.lightMapUv:"",t.aoMapUv?"#define AOMAP_UV "+t.aoMapUv:"",t.emissiveMapUv?"#define EMISSIVEMAP_UV "+t.emissiveMapUv:"",t.bumpMapUv?"#define BUMPMAP_UV "+t.bumpMapUv:"",t.normalMapUv?"#define NORMALMAP_UV "+t.normalMapUv:"",t.displacementMapUv?"#define DISPLACEMENTMAP_UV "+t.displacementMapUv:"",t.metalnessMapUv?"#define METALNESSMAP_UV "+t.metalnessMapUv:"",t.roughnessMapUv?"#define ROUGHNESSMAP_UV "+t.roughnessMapUv:"",t.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+t.anisotropyMapUv:"",t.clearcoatMapUv?"#define CLEARCOATMAP_UV "+t.clearcoatMapUv:"",t.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+t.clearcoatNormalMapUv:"",t.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+t.clearcoatRoughnessMapUv:"",t.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+t.diffuseRoughnessMapUv:"",t.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+t.iridescenceMapUv:"",t.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+t.iridescenceThicknessMapUv:"",t.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+t.sheenColorMapUv:"",t.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+t.sheenRoughnessMapUv:"",t.specularMapUv?"#define SPECULARMAP_UV "+t.specularMapUv:"",t.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+t.specularColorMapUv:"",t.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+t.specularIntensityMapUv:"",t.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+t.transmissionMapUv:"",t.thicknessMapUv?"#define THICKNESSMAP_UV "+t.thicknessMapUv:"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexNormals?"#define HAS_NORMAL":"",t.vertexColors?"#define USE_COLOR":"",t.vertexAlphas?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.flatShading?"#define FLAT_SHADED":"",t.skinning?"#define USE_SKINNING":"",t.morphTargets?"#define USE_MORPHTARGETS":"",t.morphNormals&&t.flatShading===!1?"#define USE_MORPHNORMALS":"",t.morphColors?"#define USE_MORPHCOLORS":"",t.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+t.morphTextureStride:"",t.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+t.morphTargetsCount:"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.sizeAttenuation?"#define USE_SIZEATTENUATION":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Hl).join(`
`),m=[jy(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,p,t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",t.map?"#define USE_MAP":"",t.matcap?"#define USE_MATCAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+c:"",t.envMap?"#define "+h:"",t.envMap?"#define "+u:"",t.envMapPMREM?"#define ENVMAP_MAX_LOD "+t.envMapMaxLod+".0":"",t.envMapPMREM?"#define ENVMAP_SIZE "+t.envMapSize+".0":"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoat?"#define USE_CLEARCOAT":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.dispersion?"#define USE_DISPERSION":"",t.retroreflection?"#define USE_RETROREFLECTION":"",t.iridescence?"#define USE_IRIDESCENCE":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaTest?"#define USE_ALPHATEST":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.sheen?"#define USE_SHEEN":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexColors||t.instancingColor?"#define USE_COLOR":"",t.vertexAlphas||t.batchingColor?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.gradientMap?"#define USE_GRADIENTMAP":"",t.flatShading?"#define FLAT_SHADED":"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",t.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",t.toneMapping!==ms?"#define TONE_MAPPING":"",t.toneMapping!==ms?pt.tonemapping_pars_fragment:"",t.toneMapping!==ms?MC("toneMapping",t.toneMapping):"",t.dithering?"#define DITHERING":"",t.opaque?"#define OPAQUE":"",pt.colorspace_pars_fragment,xC("linearToOutputTexel",t.outputColorSpace),SC(),t.useDepthPacking?"#define DEPTH_PACKING "+t.depthPacking:"",`
`].filter(Hl).join(`
`)),o=Rm(o),o=$y(o,t),o=Yy(o,t),a=Rm(a),a=$y(a,t),a=Yy(a,t),o=Ky(o),a=Ky(a),t.isRawShaderMaterial!==!0&&(g=`#version 300 es
`,y=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+y,m=["#define varying in",t.glslVersion===bm?"":"layout(location = 0) out highp vec4 pc_fragColor;",t.glslVersion===bm?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let b=g+y+o,C=g+m+a,S=Wy(s,s.VERTEX_SHADER,b),R=Wy(s,s.FRAGMENT_SHADER,C);s.attachShader(f,S),s.attachShader(f,R),t.index0AttributeName!==void 0?s.bindAttribLocation(f,0,t.index0AttributeName):t.hasPositionAttribute===!0&&s.bindAttribLocation(f,0,"position"),s.linkProgram(f);function E(N){if(i.debug.checkShaderErrors){let I=s.getProgramInfoLog(f)||"",z=s.getShaderInfoLog(S)||"",H=s.getShaderInfoLog(R)||"",D=I.trim(),W=z.trim(),Y=H.trim(),G=!0,ce=!0;if(s.getProgramParameter(f,s.LINK_STATUS)===!1)if(G=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,f,S,R);else{let J=Xy(s,S,"vertex"),Q=Xy(s,R,"fragment");Ze("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(f,s.VALIDATE_STATUS)+`

Material Name: `+N.name+`
Material Type: `+N.type+`

Program Info Log: `+D+`
`+J+`
`+Q)}else D!==""?Xe("WebGLProgram: Program Info Log:",D):(W===""||Y==="")&&(ce=!1);ce&&(N.diagnostics={runnable:G,programLog:D,vertexShader:{log:W,prefix:y},fragmentShader:{log:Y,prefix:m}})}s.deleteShader(S),s.deleteShader(R),_=new fa(s,f),A=TC(s,f)}let _;this.getUniforms=function(){return _===void 0&&E(this),_};let A;this.getAttributes=function(){return A===void 0&&E(this),A};let B=t.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return B===!1&&(B=s.getProgramParameter(f,vC)),B},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(f),this.program=void 0},this.type=t.shaderType,this.name=t.shaderName,this.id=_C++,this.cacheKey=e,this.usedTimes=1,this.program=f,this.vertexShader=S,this.fragmentShader=R,this}var BC=0,Im=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let s=this._getShaderCacheForMaterial(e);return s.has(t)===!1&&(s.add(t),t.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let n of t)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new Lm(e),t.set(e,n)),n}},Lm=class{constructor(e){this.id=BC++,this.code=e,this.usedTimes=0}};function zC(i){return i===xr||i===Bl||i===zl}function VC(i,e,t,n,s,r){let o=new yl,a=new Im,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function p(_){return l.add(_),_===0?"uv":`uv${_}`}function f(_,A,B,N,I,z){let H=N.fog,D=I.geometry,W=_.isMeshStandardMaterial||_.isMeshLambertMaterial||_.isMeshPhongMaterial?N.environment:null,Y=_.isMeshStandardMaterial||_.isMeshLambertMaterial&&!_.envMap||_.isMeshPhongMaterial&&!_.envMap,G=e.get(_.envMap||W,Y),ce=d[_.type],J=n.precision;_.precision!==null&&(J=n.getMaxPrecision(_.precision),J!==_.precision&&Xe("WebGLProgram.getParameters:",_.precision,"not supported, using",J,"instead."));let Q=D.morphAttributes.position||D.morphAttributes.normal||D.morphAttributes.color,se=Q!==void 0?Q.length:0,de=0;D.morphAttributes.position!==void 0&&(de=1),D.morphAttributes.normal!==void 0&&(de=2),D.morphAttributes.color!==void 0&&(de=3);let ue,ee,me,_e;if(ce){let Ce=vs[ce];ue=Ce.vertexShader,ee=Ce.fragmentShader}else{ue=_.vertexShader,ee=_.fragmentShader;let Ce=a.getVertexShaderStage(_),at=a.getFragmentShaderStage(_);a.update(_,Ce,at),me=Ce.id,_e=at.id}let Te=i.getRenderTarget(),we=i.state.buffers.depth.getReversed(),We=I.isInstancedMesh===!0,st=I.isBatchedMesh===!0,Ve=!!_.map,ft=!!_.matcap,ut=!!G,nt=ut&&G.isPMREMTexture===!0,nn=!!_.aoMap,Wt=!!_.lightMap,_n=!!_.bumpMap&&_.wireframe===!1,Bt=!!_.normalMap,Fn=!!_.displacementMap,St=!!_.emissiveMap,Cn=!!_.metalnessMap,cn=!!_.roughnessMap,yn=_.anisotropy>0,U=_.clearcoat>0,Pe=_.diffuseRoughness>0,Ye=_.dispersion>0,rt=_.retroreflectivity>0,Me=_.iridescence>0,Vt=_.sheen>0,ze=_.transmission>0,$e=yn&&!!_.anisotropyMap,T=U&&!!_.clearcoatMap,x=U&&!!_.clearcoatNormalMap,q=U&&!!_.clearcoatRoughnessMap,he=Pe&&!!_.diffuseRoughnessMap,oe=Me&&!!_.iridescenceMap,ve=Me&&!!_.iridescenceThicknessMap,ye=Vt&&!!_.sheenColorMap,te=Vt&&!!_.sheenRoughnessMap,ie=!!_.specularMap,fe=!!_.specularColorMap,k=!!_.specularIntensityMap,re=ze&&!!_.transmissionMap,ne=ze&&!!_.thicknessMap,Se=!!_.gradientMap,ge=!!_.alphaMap,xe=_.alphaTest>0,Ge=!!_.alphaHash,je=!!_.extensions,le=ms;_.toneMapped&&(Te===null||Te.isXRRenderTarget===!0)&&(le=i.toneMapping);let Ue=nt?G.isCompressedCubeTexture?G.image[0].mipmaps:G.mipmaps:null,Je={shaderID:ce,shaderType:_.type,shaderName:_.name,vertexShader:ue,fragmentShader:ee,defines:_.defines,customVertexShaderID:me,customFragmentShaderID:_e,isRawShaderMaterial:_.isRawShaderMaterial===!0,glslVersion:_.glslVersion,precision:J,batching:st,batchingColor:st&&I._colorsTexture!==null,instancing:We,instancingColor:We&&I.instanceColor!==null,instancingMorph:We&&I.morphTexture!==null,outputColorSpace:Te===null?i.outputColorSpace:Te.isXRRenderTarget===!0?Te.texture.colorSpace:bt.workingColorSpace,alphaToCoverage:!!_.alphaToCoverage,map:Ve,matcap:ft,envMap:ut,envMapMode:ut&&G.mapping,envMapPMREM:nt,envMapMaxLod:nt?Ue.length-1:null,envMapSize:nt?Ue[0].width:null,aoMap:nn,lightMap:Wt,bumpMap:_n,normalMap:Bt,displacementMap:Fn,emissiveMap:St,normalMapObjectSpace:Bt&&_.normalMapType===my,normalMapTangentSpace:Bt&&_.normalMapType===gm,packedNormalMap:Bt&&_.normalMapType===gm&&zC(_.normalMap.format),metalnessMap:Cn,roughnessMap:cn,anisotropy:yn,anisotropyMap:$e,clearcoat:U,clearcoatMap:T,clearcoatNormalMap:x,clearcoatRoughnessMap:q,diffuseRoughness:Pe,diffuseRoughnessMap:he,dispersion:Ye,retroreflection:rt,iridescence:Me,iridescenceMap:oe,iridescenceThicknessMap:ve,sheen:Vt,sheenColorMap:ye,sheenRoughnessMap:te,specularMap:ie,specularColorMap:fe,specularIntensityMap:k,transmission:ze,transmissionMap:re,thicknessMap:ne,gradientMap:Se,opaque:_.transparent===!1&&_.blending===ua&&_.alphaToCoverage===!1,alphaMap:ge,alphaTest:xe,alphaHash:Ge,combine:_.combine,mapUv:Ve&&p(_.map.channel),aoMapUv:nn&&p(_.aoMap.channel),lightMapUv:Wt&&p(_.lightMap.channel),bumpMapUv:_n&&p(_.bumpMap.channel),normalMapUv:Bt&&p(_.normalMap.channel),displacementMapUv:Fn&&p(_.displacementMap.channel),emissiveMapUv:St&&p(_.emissiveMap.channel),metalnessMapUv:Cn&&p(_.metalnessMap.channel),roughnessMapUv:cn&&p(_.roughnessMap.channel),anisotropyMapUv:$e&&p(_.anisotropyMap.channel),clearcoatMapUv:T&&p(_.clearcoatMap.channel),clearcoatNormalMapUv:x&&p(_.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:q&&p(_.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:he&&p(_.diffuseRoughnessMap.channel),iridescenceMapUv:oe&&p(_.iridescenceMap.channel),iridescenceThicknessMapUv:ve&&p(_.iridescenceThicknessMap.channel),sheenColorMapUv:ye&&p(_.sheenColorMap.channel),sheenRoughnessMapUv:te&&p(_.sheenRoughnessMap.channel),specularMapUv:ie&&p(_.specularMap.channel),specularColorMapUv:fe&&p(_.specularColorMap.channel),specularIntensityMapUv:k&&p(_.specularIntensityMap.channel),transmissionMapUv:re&&p(_.transmissionMap.channel),thicknessMapUv:ne&&p(_.thicknessMap.channel),alphaMapUv:ge&&p(_.alphaMap.channel),vertexTangents:!!D.attributes.tangent&&(Bt||yn),vertexNormals:!!D.attributes.normal,vertexColors:_.vertexColors,vertexAlphas:_.vertexColors===!0&&!!D.attributes.color&&D.attributes.color.itemSize===4,pointsUvs:I.isPoints===!0&&!!D.attributes.uv&&(Ve||ge),fog:!!H,useFog:_.fog===!0,fogExp2:!!H&&H.isFogExp2,flatShading:_.wireframe===!1&&(_.flatShading===!0||D.attributes.normal===void 0&&Bt===!1&&(_.isMeshLambertMaterial||_.isMeshPhongMaterial||_.isMeshStandardMaterial||_.isMeshPhysicalMaterial)),sizeAttenuation:_.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:we,skinning:I.isSkinnedMesh===!0,hasPositionAttribute:D.attributes.position!==void 0,morphTargets:D.morphAttributes.position!==void 0,morphNormals:D.morphAttributes.normal!==void 0,morphColors:D.morphAttributes.color!==void 0,morphTargetsCount:se,morphTextureStride:de,numSunLights:A.sun.length,numDirLights:A.directional.length,numPointLights:A.point.length,numSpotLights:A.spot.length,numSpotLightMaps:A.spotLightMap.length,numRectAreaLights:A.rectArea.length,numHemiLights:A.hemi.length,numSunLightShadows:A.sunShadowMap.length,numDirLightShadows:A.directionalShadowMap.length,numPointLightShadows:A.pointShadowMap.length,numSpotLightShadows:A.spotShadowMap.length,numSpotLightShadowsWithMaps:A.numSpotLightShadowsWithMaps,numLightProbes:A.numLightProbes,numLightProbeGrids:z.filter(Ce=>Ce.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:_.dithering,shadowMapEnabled:i.shadowMap.enabled&&B.length>0,shadowMapType:i.shadowMap.type,toneMapping:le,decodeVideoTexture:Ve&&_.map.isVideoTexture===!0&&bt.getTransfer(_.map.colorSpace)===It,decodeVideoTextureEmissive:St&&_.emissiveMap.isVideoTexture===!0&&bt.getTransfer(_.emissiveMap.colorSpace)===It,premultipliedAlpha:_.premultipliedAlpha,doubleSided:_.side===En,flipSided:_.side===ai,useDepthPacking:_.depthPacking>=0,depthPacking:_.depthPacking||0,index0AttributeName:_.index0AttributeName,extensionClipCullDistance:je&&_.extensions.clipCullDistance===!0&&t.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(je&&_.extensions.multiDraw===!0||st)&&t.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:t.has("KHR_parallel_shader_compile"),customProgramCacheKey:_.customProgramCacheKey()};return Je.vertexUv1s=l.has(1),Je.vertexUv2s=l.has(2),Je.vertexUv3s=l.has(3),l.clear(),Je}function y(_){let A=[];if(_.shaderID?A.push(_.shaderID):(A.push(_.customVertexShaderID),A.push(_.customFragmentShaderID)),_.defines!==void 0)for(let B in _.defines)A.push(B),A.push(_.defines[B]);return _.isRawShaderMaterial===!1&&(m(A,_),g(A,_),A.push(i.outputColorSpace)),A.push(_.customProgramCacheKey),A.join()}function m(_,A){_.push(A.precision),_.push(A.outputColorSpace),_.push(A.envMapMode),_.push(A.envMapPMREM),_.push(A.envMapMaxLod),_.push(A.envMapSize),_.push(A.mapUv),_.push(A.alphaMapUv),_.push(A.lightMapUv),_.push(A.aoMapUv),_.push(A.bumpMapUv),_.push(A.normalMapUv),_.push(A.displacementMapUv),_.push(A.emissiveMapUv),_.push(A.metalnessMapUv),_.push(A.roughnessMapUv),_.push(A.anisotropyMapUv),_.push(A.clearcoatMapUv),_.push(A.clearcoatNormalMapUv),_.push(A.clearcoatRoughnessMapUv),_.push(A.diffuseRoughnessMapUv),_.push(A.iridescenceMapUv),_.push(A.iridescenceThicknessMapUv),_.push(A.sheenColorMapUv),_.push(A.sheenRoughnessMapUv),_.push(A.specularMapUv),_.push(A.specularColorMapUv),_.push(A.specularIntensityMapUv),_.push(A.transmissionMapUv),_.push(A.thicknessMapUv),_.push(A.combine),_.push(A.fogExp2),_.push(A.sizeAttenuation),_.push(A.morphTargetsCount),_.push(A.numSunLights),_.push(A.numDirLights),_.push(A.numPointLights),_.push(A.numSpotLights),_.push(A.numSpotLightMaps),_.push(A.numHemiLights),_.push(A.numRectAreaLights),_.push(A.numSunLightShadows),_.push(A.numDirLightShadows),_.push(A.numPointLightShadows),_.push(A.numSpotLightShadows),_.push(A.numSpotLightShadowsWithMaps),_.push(A.numLightProbes),_.push(A.numLightProbeGrids),_.push(A.shadowMapType),_.push(A.toneMapping),_.push(A.numClippingPlanes),_.push(A.numClipIntersection),_.push(A.depthPacking)}function g(_,A){o.disableAll(),A.instancing&&o.enable(0),A.instancingColor&&o.enable(1),A.instancingMorph&&o.enable(2),A.matcap&&o.enable(3),A.envMap&&o.enable(4),A.normalMapObjectSpace&&o.enable(5),A.normalMapTangentSpace&&o.enable(6),A.clearcoat&&o.enable(7),A.iridescence&&o.enable(8),A.alphaTest&&o.enable(9),A.vertexColors&&o.enable(10),A.vertexAlphas&&o.enable(11),A.vertexUv1s&&o.enable(12),A.vertexUv2s&&o.enable(13),A.vertexUv3s&&o.enable(14),A.vertexTangents&&o.enable(15),A.anisotropy&&o.enable(16),A.alphaHash&&o.enable(17),A.batching&&o.enable(18),A.dispersion&&o.enable(19),A.retroreflection&&o.enable(24),A.diffuseRoughness&&o.enable(25),A.batchingColor&&o.enable(20),A.gradientMap&&o.enable(21),A.packedNormalMap&&o.enable(22),A.vertexNormals&&o.enable(23),_.push(o.mask),o.disableAll(),A.fog&&o.enable(0),A.useFog&&o.enable(1),A.flatShading&&o.enable(2),A.logarithmicDepthBuffer&&o.enable(3),A.reversedDepthBuffer&&o.enable(4),A.skinning&&o.enable(5),A.morphTargets&&o.enable(6),A.morphNormals&&o.enable(7),A.morphColors&&o.enable(8),A.premultipliedAlpha&&o.enable(9),A.shadowMapEnabled&&o.enable(10),A.doubleSided&&o.enable(11),A.flipSided&&o.enable(12),A.useDepthPacking&&o.enable(13),A.dithering&&o.enable(14),A.transmission&&o.enable(15),A.sheen&&o.enable(16),A.opaque&&o.enable(17),A.pointsUvs&&o.enable(18),A.decodeVideoTexture&&o.enable(19),A.decodeVideoTextureEmissive&&o.enable(20),A.alphaToCoverage&&o.enable(21),A.numLightProbeGrids>0&&o.enable(22),A.hasPositionAttribute&&o.enable(23),_.push(o.mask)}function b(_){let A=d[_.type],B;if(A){let N=vs[A];B=Iy.clone(N.uniforms)}else B=_.uniforms;return B}function C(_,A){let B=h.get(A);return B!==void 0?++B.usedTimes:(B=new OC(i,A,_,s),c.push(B),h.set(A,B)),B}function S(_){if(--_.usedTimes===0){let A=c.indexOf(_);c[A]=c[c.length-1],c.pop(),h.delete(_.cacheKey),_.destroy()}}function R(_){a.remove(_)}function E(){a.dispose()}return{getParameters:f,getProgramCacheKey:y,getUniforms:b,acquireProgram:C,releaseProgram:S,releaseShaderCache:R,programs:c,dispose:E}}function GC(){let i=new WeakMap;function e(o){return i.has(o)}function t(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:e,get:t,remove:n,update:s,dispose:r}}function HC(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.material.id!==e.material.id?i.material.id-e.material.id:i.materialVariant!==e.materialVariant?i.materialVariant-e.materialVariant:i.z!==e.z?i.z-e.z:i.id-e.id}function Jy(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.z!==e.z?e.z-i.z:i.id-e.id}function Zy(){let i=[],e=0,t=[],n=[],s=[];function r(){e=0,t.length=0,n.length=0,s.length=0}function o(d){let p=0;return d.isInstancedMesh&&(p+=2),d.isSkinnedMesh&&(p+=1),p}function a(d,p,f,y,m,g){let b=i[e];return b===void 0?(b={id:d.id,object:d,geometry:p,material:f,materialVariant:o(d),groupOrder:y,renderOrder:d.renderOrder,z:m,group:g},i[e]=b):(b.id=d.id,b.object=d,b.geometry=p,b.material=f,b.materialVariant=o(d),b.groupOrder=y,b.renderOrder=d.renderOrder,b.z=m,b.group=g),e++,b}function l(d,p,f,y,m,g,b){b.reversedDepth===!0&&(m=-m);let C=a(d,p,f,y,m,g);f.transmission>0?n.push(C):f.transparent===!0?s.push(C):t.push(C)}function c(d,p,f,y,m,g){let b=a(d,p,f,y,m,g);f.transmission>0?n.unshift(b):f.transparent===!0?s.unshift(b):t.unshift(b)}function h(d,p){t.length>1&&t.sort(d||HC),n.length>1&&n.sort(p||Jy),s.length>1&&s.sort(p||Jy)}function u(){for(let d=e,p=i.length;d<p;d++){let f=i[d];if(f.id===null)break;f.id=null,f.object=null,f.geometry=null,f.material=null,f.group=null}}return{opaque:t,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function WC(){let i=new WeakMap;function e(n,s){let r=i.get(n),o;return r===void 0?(o=new Zy,i.set(n,[o])):s>=r.length?(o=new Zy,r.push(o)):o=r[s],o}function t(){i=new WeakMap}return{get:e,dispose:t}}function qC(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={direction:new F,color:new lt};break;case"SpotLight":t={position:new F,direction:new F,color:new lt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":t={position:new F,color:new lt,distance:0,decay:0};break;case"HemisphereLight":t={direction:new F,skyColor:new lt,groundColor:new lt};break;case"RectAreaLight":t={color:new lt,position:new F,halfWidth:new F,halfHeight:new F};break}return i[e.id]=t,t}}}function XC(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ct};break;case"SpotLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ct};break;case"PointLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new ct,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[e.id]=t,t}}}var $C=0;function YC(i,e){return(e.castShadow?2:0)-(i.castShadow?2:0)+(e.map?1:0)-(i.map?1:0)}function KC(i){let e=new qC,t=XC(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new F);let s=new F,r=new He,o=new He;function a(c){let h=0,u=0,d=0;for(let z=0;z<9;z++)n.probe[z].set(0,0,0);let p=0,f=0,y=0,m=0,g=0,b=0,C=0,S=0,R=0,E=0,_=0,A=0,B=0,N=0;c.sort(YC);for(let z=0,H=c.length;z<H;z++){let D=c[z],W=D.color,Y=D.intensity,G=D.distance,ce=null;if(D.shadow&&D.shadow.map&&(D.shadow.map.texture.format===xr?ce=D.shadow.map.texture:ce=D.shadow.map.depthTexture||D.shadow.map.texture),D.isAmbientLight)h+=W.r*Y,u+=W.g*Y,d+=W.b*Y;else if(D.isLightProbe){for(let J=0;J<9;J++)n.probe[J].addScaledVector(D.sh.coefficients[J],Y);N++}else if(D.isSunLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[f]=se,n.sunShadowMap[f]=ce;let de=Q.getViewportCount();for(let ue=0;ue<de;ue++)n.sunShadowMatrix[y+ue]=Q.getMatrix(ue),n.sunShadowCascade[y+ue]=Q._cascadeData[ue];y+=de,f++}n.sun[p]=J,p++}else if(D.isDirectionalLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,n.directionalShadow[m]=se,n.directionalShadowMap[m]=ce,n.directionalShadowMatrix[m]=D.shadow.matrix,R++}n.directional[m]=J,m++}else if(D.isSpotLight){let J=e.get(D);J.position.setFromMatrixPosition(D.matrixWorld),J.color.copy(W).multiplyScalar(Y),J.distance=G,J.coneCos=Math.cos(D.angle),J.penumbraCos=Math.cos(D.angle*(1-D.penumbra)),J.decay=D.decay,n.spot[b]=J;let Q=D.shadow;if(D.map&&(n.spotLightMap[A]=D.map,A++,Q.updateMatrices(D),D.castShadow&&B++),n.spotLightMatrix[b]=Q.matrix,D.castShadow){let se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,n.spotShadow[b]=se,n.spotShadowMap[b]=ce,_++}b++}else if(D.isRectAreaLight){let J=e.get(D);J.color.copy(W).multiplyScalar(Y),J.halfWidth.set(D.width*.5,0,0),J.halfHeight.set(0,D.height*.5,0),n.rectArea[C]=J,C++}else if(D.isPointLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),J.distance=D.distance,J.decay=D.decay,D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,se.shadowCameraNear=Q.camera.near,se.shadowCameraFar=Q.camera.far,n.pointShadow[g]=se,n.pointShadowMap[g]=ce,n.pointShadowMatrix[g]=D.shadow.matrix,E++}n.point[g]=J,g++}else if(D.isHemisphereLight){let J=e.get(D);J.skyColor.copy(D.color).multiplyScalar(Y),J.groundColor.copy(D.groundColor).multiplyScalar(Y),n.hemi[S]=J,S++}}C>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Le.LTC_FLOAT_1,n.rectAreaLTC2=Le.LTC_FLOAT_2):(n.rectAreaLTC1=Le.LTC_HALF_1,n.rectAreaLTC2=Le.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=d;let I=n.hash;(I.sunLength!==p||I.directionalLength!==m||I.pointLength!==g||I.spotLength!==b||I.rectAreaLength!==C||I.hemiLength!==S||I.numSunShadows!==f||I.numDirectionalShadows!==R||I.numPointShadows!==E||I.numSpotShadows!==_||I.numSpotMaps!==A||I.numLightProbes!==N)&&(n.sun.length=p,n.directional.length=m,n.spot.length=b,n.rectArea.length=C,n.point.length=g,n.hemi.length=S,n.sunShadow.length=f,n.sunShadowMap.length=f,n.sunShadowMatrix.length=y,n.sunShadowCascade.length=y,n.directionalShadow.length=R,n.directionalShadowMap.length=R,n.directionalShadowMatrix.length=R,n.pointShadow.length=E,n.pointShadowMap.length=E,n.pointShadowMatrix.length=E,n.spotShadow.length=_,n.spotShadowMap.length=_,n.spotLightMatrix.length=_+A-B,n.spotLightMap.length=A,n.numSpotLightShadowsWithMaps=B,n.numLightProbes=N,I.sunLength=p,I.directionalLength=m,I.pointLength=g,I.spotLength=b,I.rectAreaLength=C,I.hemiLength=S,I.numSunShadows=f,I.numDirectionalShadows=R,I.numPointShadows=E,I.numSpotShadows=_,I.numSpotMaps=A,I.numLightProbes=N,n.version=$C++)}function l(c,h){let u=0,d=0,p=0,f=0,y=0,m=0,g=h.matrixWorldInverse;for(let b=0,C=c.length;b<C;b++){let S=c[b];if(S.isSunLight){let R=n.sun[u];R.direction.setFromMatrixPosition(S.matrixWorld),R.direction.transformDirection(g),u++}else if(S.isDirectionalLight){let R=n.directional[d];R.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(g),d++}else if(S.isSpotLight){let R=n.spot[f];R.position.setFromMatrixPosition(S.matrixWorld),R.position.applyMatrix4(g),R.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),R.direction.sub(s),R.direction.transformDirection(g),f++}else if(S.isRectAreaLight){let R=n.rectArea[y];R.position.setFromMatrixPosition(S.matrixWorld),R.position.applyMatrix4(g),o.identity(),r.copy(S.matrixWorld),r.premultiply(g),o.extractRotation(r),R.halfWidth.set(S.width*.5,0,0),R.halfHeight.set(0,S.height*.5,0),R.halfWidth.applyMatrix4(o),R.halfHeight.applyMatrix4(o),y++}else if(S.isPointLight){let R=n.point[p];R.position.setFromMatrixPosition(S.matrixWorld),R.position.applyMatrix4(g),p++}else if(S.isHemisphereLight){let R=n.hemi[m];R.direction.setFromMatrixPosition(S.matrixWorld),R.direction.transformDirection(g),m++}}}return{setup:a,setupView:l,state:n}}function Qy(i){let e=new KC(i),t=[],n=[],s=[];function r(u){h.camera=u,t.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):t.push(u)}function a(u){n.push(u)}function l(){e.setup(t),s.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function c(u){e.setupView(t,u)}let h={lightsArray:t,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:e,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function jC(i){let e=new WeakMap;function t(s,r=0){let o=e.get(s),a;return o===void 0?(a=new Qy(i),e.set(s,[a])):r>=o.length?(a=new Qy(i),o.push(a)):a=o[r],a}function n(){e=new WeakMap}return{get:t,dispose:n}}var JC=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,ZC=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,QC=[new F(1,0,0),new F(-1,0,0),new F(0,1,0),new F(0,-1,0),new F(0,0,1),new F(0,0,-1)],eP=[new F(0,-1,0),new F(0,-1,0),new F(0,0,1),new F(0,0,-1),new F(0,-1,0),new F(0,-1,0)],eb=new He,Gl=new F,Em=new F;function tP(i,e,t){let n=new Vs,s=new ct,r=new ct,o=new xt,a=new Uh,l=new Oh,c={},h=t.maxTextureSize,u={[br]:ai,[ai]:br,[En]:En},d=new Xt({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new ct},radius:{value:4}},vertexShader:JC,fragmentShader:ZC}),p=d.clone();p.defines.HORIZONTAL_PASS=1;let f=new ht;f.setAttribute("position",new ot(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let y=new qt(f,d),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Ll;let g=this.type;this.render=function(E,_,A){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||E.length===0)return;this.type===q_&&(Xe("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=Ll);let B=i.getRenderTarget(),N=i.getActiveCubeFace(),I=i.getActiveMipmapLevel(),z=i.state;z.setBlending($r),z.buffers.depth.getReversed()===!0?z.buffers.color.setClear(0,0,0,0):z.buffers.color.setClear(1,1,1,1),z.buffers.depth.setTest(!0),z.setScissorTest(!1);let H=g!==this.type;H&&_.traverse(function(D){D.material&&(Array.isArray(D.material)?D.material.forEach(W=>W.needsUpdate=!0):D.material.needsUpdate=!0)});for(let D=0,W=E.length;D<W;D++){let Y=E[D],G=Y.shadow;if(G===void 0){Xe("WebGLShadowMap:",Y,"has no shadow.");continue}if(G.autoUpdate===!1&&G.needsUpdate===!1)continue;s.copy(G.mapSize);let ce=G.getFrameExtents();s.multiply(ce),r.copy(G.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ce.x),s.x=r.x*ce.x,G.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ce.y),s.y=r.y*ce.y,G.mapSize.y=r.y));let J=i.state.buffers.depth.getReversed();if(G.camera._reversedDepth=J,G.map===null||H===!0){if(G.map!==null&&(G.map.depthTexture!==null&&(G.map.depthTexture.dispose(),G.map.depthTexture=null),G.map.dispose()),this.type===ha){if(Y.isPointLight){Xe("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}G.map=new Xn(s.x,s.y,{format:xr,type:Qi,minFilter:vn,magFilter:vn,generateMipmaps:!1}),G.map.texture.name=Y.name+".shadowMap",G.map.depthTexture=new Ji(s.x,s.y,ci),G.map.depthTexture.name=Y.name+".shadowMapDepth",G.map.depthTexture.format=Bs,G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=An,G.map.depthTexture.magFilter=An}else Y.isPointLight?(G.map=new Wl(s.x),G.map.depthTexture=new El(s.x,Ti)):(G.map=new Xn(s.x,s.y),G.map.depthTexture=new Ji(s.x,s.y,Ti)),G.map.depthTexture.name=Y.name+".shadowMap",G.map.depthTexture.format=Bs,this.type===Ll?(G.map.depthTexture.compareFunction=J?vm:Vl,G.map.depthTexture.minFilter=vn,G.map.depthTexture.magFilter=vn):(G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=An,G.map.depthTexture.magFilter=An);G.camera.updateProjectionMatrix()}G.map.isWebGLCubeRenderTarget!==!0&&(G.map.width!==s.x||G.map.height!==s.y)&&G.map.setSize(s.x,s.y);let Q=G.map.isWebGLCubeRenderTarget?6:G.getViewportCount();Y.isPointLight!==!0&&G.updateMatrices(Y,A);let se=(G.camera.layers.mask&4294967294)!==0?G.camera.layers:A.layers;for(let de=0;de<Q;de++){let ue=G.getCamera(de);if(Y.isPointLight){let ee=G.camera,me=G.matrix,_e=Y.distance||ee.far;_e!==ee.far&&(ee.far=_e,ee.updateProjectionMatrix()),Gl.setFromMatrixPosition(Y.matrixWorld),ee.position.copy(Gl),Em.copy(ee.position),Em.add(QC[de]),ee.up.copy(eP[de]),ee.lookAt(Em),ee.updateMatrixWorld(),me.makeTranslation(-Gl.x,-Gl.y,-Gl.z),eb.multiplyMatrices(ee.projectionMatrix,ee.matrixWorldInverse),G._frustum.setFromProjectionMatrix(eb,ee.coordinateSystem,ee.reversedDepth)}if(G.map.isWebGLCubeRenderTarget)i.setRenderTarget(G.map,de),i.clear();else{de===0&&(i.setRenderTarget(G.map),i.clear());let ee=G.getViewport(de);o.set(r.x*ee.x,r.y*ee.y,r.x*ee.z,r.y*ee.w),z.viewport(o)}n=G.getFrustum(de),S(_,A,ue,Y,se,this.type)}G.isPointLightShadow!==!0&&this.type===ha&&b(G,A),G.needsUpdate=!1}g=this.type,m.needsUpdate=!1,i.setRenderTarget(B,N,I)};function b(E,_){let A=e.update(y);d.defines.VSM_SAMPLES!==E.blurSamples&&(d.defines.VSM_SAMPLES=E.blurSamples,p.defines.VSM_SAMPLES=E.blurSamples,d.needsUpdate=!0,p.needsUpdate=!0),E.mapPass===null?E.mapPass=new Xn(s.x,s.y,{format:xr,type:Qi}):(E.mapPass.width!==E.map.width||E.mapPass.height!==E.map.height)&&E.mapPass.setSize(E.map.width,E.map.height),d.uniforms.shadow_pass.value=E.map.depthTexture,d.uniforms.resolution.value.set(E.map.width,E.map.height),d.uniforms.radius.value=E.radius,i.setRenderTarget(E.mapPass),i.clear(),i.renderBufferDirect(_,null,A,d,y,null),p.uniforms.shadow_pass.value=E.mapPass.texture,p.uniforms.resolution.value.set(E.map.width,E.map.height),p.uniforms.radius.value=E.radius,i.setRenderTarget(E.map),i.clear(),i.renderBufferDirect(_,null,A,p,y,null)}function C(E,_,A,B){let N=null,I=A.isPointLight===!0?E.customDistanceMaterial:E.customDepthMaterial;if(I!==void 0)N=I;else if(N=A.isPointLight===!0?l:a,i.localClippingEnabled&&_.clipShadows===!0&&Array.isArray(_.clippingPlanes)&&_.clippingPlanes.length!==0||_.displacementMap&&_.displacementScale!==0||_.alphaMap&&_.alphaTest>0||_.map&&_.alphaTest>0||_.alphaToCoverage===!0){let z=N.uuid,H=_.uuid,D=c[z];D===void 0&&(D={},c[z]=D);let W=D[H];W===void 0&&(W=N.clone(),D[H]=W,_.addEventListener("dispose",R)),N=W}if(N.visible=_.visible,N.wireframe=_.wireframe,B===ha?N.side=_.shadowSide!==null?_.shadowSide:_.side:N.side=_.shadowSide!==null?_.shadowSide:u[_.side],N.alphaMap=_.alphaMap,N.alphaTest=_.alphaToCoverage===!0?.5:_.alphaTest,N.map=_.map,N.clipShadows=_.clipShadows,N.clippingPlanes=_.clippingPlanes,N.clipIntersection=_.clipIntersection,N.displacementMap=_.displacementMap,N.displacementScale=_.displacementScale,N.displacementBias=_.displacementBias,N.wireframeLinewidth=_.wireframeLinewidth,N.linewidth=_.linewidth,A.isPointLight===!0&&N.isMeshDistanceMaterial===!0){let z=i.properties.get(N);z.light=A}return N}function S(E,_,A,B,N,I){if(E.visible===!1)return;if(E.layers.test(N)&&(E.isMesh||E.isLine||E.isPoints)&&(E.castShadow||E.receiveShadow&&I===ha)&&(!E.frustumCulled||E.intersectsFrustum(n))){E.modelViewMatrix.multiplyMatrices(A.matrixWorldInverse,E.matrixWorld);let D=e.update(E),W=E.material;if(Array.isArray(W)){let Y=D.groups;for(let G=0,ce=Y.length;G<ce;G++){let J=Y[G],Q=W[J.materialIndex];if(Q&&Q.visible){let se=C(E,Q,B,I);E.onBeforeShadow(i,E,_,A,D,se,J),i.renderBufferDirect(A,null,D,se,E,J),E.onAfterShadow(i,E,_,A,D,se,J)}}}else if(W.visible){let Y=C(E,W,B,I);E.onBeforeShadow(i,E,_,A,D,Y,null),i.renderBufferDirect(A,null,D,Y,E,null),E.onAfterShadow(i,E,_,A,D,Y,null)}}let H=E.children;for(let D=0,W=H.length;D<W;D++)S(H[D],_,A,B,N,I)}function R(E){E.target.removeEventListener("dispose",R);for(let A in c){let B=c[A],N=E.target.uuid;N in B&&(B[N].dispose(),delete B[N])}}}function nP(i,e){function t(){let k=!1,re=new xt,ne=null,Se=new xt(0,0,0,0);return{setMask:function(ge){ne!==ge&&!k&&(i.colorMask(ge,ge,ge,ge),ne=ge)},setLocked:function(ge){k=ge},setClear:function(ge,xe,Ge,je,le){le===!0&&(ge*=je,xe*=je,Ge*=je),re.set(ge,xe,Ge,je),Se.equals(re)===!1&&(i.clearColor(ge,xe,Ge,je),Se.copy(re))},reset:function(){k=!1,ne=null,Se.set(-1,0,0,0)}}}function n(){let k=!1,re=!1,ne=null,Se=null,ge=null;return{setReversed:function(xe){if(re!==xe){let Ge=e.get("EXT_clip_control");xe?Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.ZERO_TO_ONE_EXT):Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.NEGATIVE_ONE_TO_ONE_EXT),re=xe;let je=ge;ge=null,this.setClear(je)}},getReversed:function(){return re},setTest:function(xe){xe?we(i.DEPTH_TEST):We(i.DEPTH_TEST)},setMask:function(xe){ne!==xe&&!k&&(i.depthMask(xe),ne=xe)},setFunc:function(xe){if(re&&(xe=Ay[xe]),Se!==xe){switch(xe){case xh:i.depthFunc(i.NEVER);break;case wh:i.depthFunc(i.ALWAYS);break;case Mh:i.depthFunc(i.LESS);break;case Jo:i.depthFunc(i.LEQUAL);break;case Sh:i.depthFunc(i.EQUAL);break;case Ah:i.depthFunc(i.GEQUAL);break;case Eh:i.depthFunc(i.GREATER);break;case Th:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}Se=xe}},setLocked:function(xe){k=xe},setClear:function(xe){ge!==xe&&(ge=xe,re&&(xe=1-xe),i.clearDepth(xe))},reset:function(){k=!1,ne=null,Se=null,ge=null,re=!1}}}function s(){let k=!1,re=null,ne=null,Se=null,ge=null,xe=null,Ge=null,je=null,le=null;return{setTest:function(Ue){k||(Ue?we(i.STENCIL_TEST):We(i.STENCIL_TEST))},setMask:function(Ue){re!==Ue&&!k&&(i.stencilMask(Ue),re=Ue)},setFunc:function(Ue,Je,Ce){(ne!==Ue||Se!==Je||ge!==Ce)&&(i.stencilFunc(Ue,Je,Ce),ne=Ue,Se=Je,ge=Ce)},setOp:function(Ue,Je,Ce){(xe!==Ue||Ge!==Je||je!==Ce)&&(i.stencilOp(Ue,Je,Ce),xe=Ue,Ge=Je,je=Ce)},setLocked:function(Ue){k=Ue},setClear:function(Ue){le!==Ue&&(i.clearStencil(Ue),le=Ue)},reset:function(){k=!1,re=null,ne=null,Se=null,ge=null,xe=null,Ge=null,je=null,le=null}}}let r=new t,o=new n,a=new s,l={},c=new WeakMap,h={},u={},d={},p=new WeakMap,f=[],y=null,m=!1,g=null,b=null,C=null,S=null,R=null,E=null,_=null,A=new lt(0,0,0),B=0,N=!1,I=null,z=null,H=null,D=null,W=null,Y=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),G=!1,ce=0,J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(ce=parseFloat(/^WebGL (\d)/.exec(J)[1]),G=ce>=1):J.indexOf("OpenGL ES")!==-1&&(ce=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),G=ce>=2);let Q=null,se={},de=i.getParameter(i.SCISSOR_BOX),ue=i.getParameter(i.VIEWPORT),ee=new xt().fromArray(de),me=new xt().fromArray(ue);function _e(k,re,ne,Se){let ge=new Uint8Array(4),xe=i.createTexture();i.bindTexture(k,xe),i.texParameteri(k,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(k,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ge=0;Ge<ne;Ge++)k===i.TEXTURE_3D||k===i.TEXTURE_2D_ARRAY?i.texImage3D(re,0,i.RGBA,1,1,Se,0,i.RGBA,i.UNSIGNED_BYTE,ge):i.texImage2D(re+Ge,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,ge);return xe}let Te={};Te[i.TEXTURE_2D]=_e(i.TEXTURE_2D,i.TEXTURE_2D,1),Te[i.TEXTURE_CUBE_MAP]=_e(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Te[i.TEXTURE_2D_ARRAY]=_e(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Te[i.TEXTURE_3D]=_e(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),we(i.DEPTH_TEST),o.setFunc(Jo),_n(!1),Bt(jf),we(i.CULL_FACE),nn($r);function we(k){h[k]!==!0&&(i.enable(k),h[k]=!0)}function We(k){h[k]!==!1&&(i.disable(k),h[k]=!1)}function st(k,re){return d[k]!==re?(i.bindFramebuffer(k,re),d[k]=re,k===i.DRAW_FRAMEBUFFER&&(d[i.FRAMEBUFFER]=re),k===i.FRAMEBUFFER&&(d[i.DRAW_FRAMEBUFFER]=re),!0):!1}function Ve(k,re){let ne=f,Se=!1;if(k){ne=p.get(re),ne===void 0&&(ne=[],p.set(re,ne));let ge=k.textures;if(ne.length!==ge.length||ne[0]!==i.COLOR_ATTACHMENT0){for(let xe=0,Ge=ge.length;xe<Ge;xe++)ne[xe]=i.COLOR_ATTACHMENT0+xe;ne.length=ge.length,Se=!0}}else ne[0]!==i.BACK&&(ne[0]=i.BACK,Se=!0);Se&&i.drawBuffers(ne)}function ft(k){return y!==k?(i.useProgram(k),y=k,!0):!1}let ut={[Yr]:i.FUNC_ADD,[$_]:i.FUNC_SUBTRACT,[Y_]:i.FUNC_REVERSE_SUBTRACT};ut[K_]=i.MIN,ut[j_]=i.MAX;let nt={[J_]:i.ZERO,[Z_]:i.ONE,[Q_]:i.SRC_COLOR,[Qf]:i.SRC_ALPHA,[ry]:i.SRC_ALPHA_SATURATE,[iy]:i.DST_COLOR,[ty]:i.DST_ALPHA,[ey]:i.ONE_MINUS_SRC_COLOR,[em]:i.ONE_MINUS_SRC_ALPHA,[sy]:i.ONE_MINUS_DST_COLOR,[ny]:i.ONE_MINUS_DST_ALPHA,[oy]:i.CONSTANT_COLOR,[ay]:i.ONE_MINUS_CONSTANT_COLOR,[ly]:i.CONSTANT_ALPHA,[cy]:i.ONE_MINUS_CONSTANT_ALPHA};function nn(k,re,ne,Se,ge,xe,Ge,je,le,Ue){if(k===$r){m===!0&&(We(i.BLEND),m=!1);return}if(m===!1&&(we(i.BLEND),m=!0),k!==X_){if(k!==g||Ue!==N){if((b!==Yr||R!==Yr)&&(i.blendEquation(i.FUNC_ADD),b=Yr,R=Yr),Ue)switch(k){case ua:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Dl:i.blendFunc(i.ONE,i.ONE);break;case Jf:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Zf:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:Ze("WebGLState: Invalid blending: ",k);break}else switch(k){case ua:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Dl:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case Jf:Ze("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Zf:Ze("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Ze("WebGLState: Invalid blending: ",k);break}C=null,S=null,E=null,_=null,A.set(0,0,0),B=0,g=k,N=Ue}return}ge=ge||re,xe=xe||ne,Ge=Ge||Se,(re!==b||ge!==R)&&(i.blendEquationSeparate(ut[re],ut[ge]),b=re,R=ge),(ne!==C||Se!==S||xe!==E||Ge!==_)&&(i.blendFuncSeparate(nt[ne],nt[Se],nt[xe],nt[Ge]),C=ne,S=Se,E=xe,_=Ge),(je.equals(A)===!1||le!==B)&&(i.blendColor(je.r,je.g,je.b,le),A.copy(je),B=le),g=k,N=!1}function Wt(k,re){k.side===En?We(i.CULL_FACE):we(i.CULL_FACE);let ne=k.side===ai;re&&(ne=!ne),_n(ne),k.blending===ua&&k.transparent===!1?nn($r):nn(k.blending,k.blendEquation,k.blendSrc,k.blendDst,k.blendEquationAlpha,k.blendSrcAlpha,k.blendDstAlpha,k.blendColor,k.blendAlpha,k.premultipliedAlpha),o.setFunc(k.depthFunc),o.setTest(k.depthTest),o.setMask(k.depthWrite),r.setMask(k.colorWrite);let Se=k.stencilWrite;a.setTest(Se),Se&&(a.setMask(k.stencilWriteMask),a.setFunc(k.stencilFunc,k.stencilRef,k.stencilFuncMask),a.setOp(k.stencilFail,k.stencilZFail,k.stencilZPass)),St(k.polygonOffset,k.polygonOffsetFactor,k.polygonOffsetUnits),k.alphaToCoverage===!0?we(i.SAMPLE_ALPHA_TO_COVERAGE):We(i.SAMPLE_ALPHA_TO_COVERAGE)}function _n(k){I!==k&&(k?i.frontFace(i.CW):i.frontFace(i.CCW),I=k)}function Bt(k){k!==H_?(we(i.CULL_FACE),k!==z&&(k===jf?i.cullFace(i.BACK):k===W_?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):We(i.CULL_FACE),z=k}function Fn(k){k!==H&&(G&&i.lineWidth(k),H=k)}function St(k,re,ne){k?(we(i.POLYGON_OFFSET_FILL),(D!==re||W!==ne)&&(D=re,W=ne,o.getReversed()&&(re=-re,ne=-ne),i.polygonOffset(re,ne))):We(i.POLYGON_OFFSET_FILL)}function Cn(k){k?we(i.SCISSOR_TEST):We(i.SCISSOR_TEST)}function cn(k){k===void 0&&(k=i.TEXTURE0+Y-1),Q!==k&&(i.activeTexture(k),Q=k)}function yn(k,re,ne){ne===void 0&&(Q===null?ne=i.TEXTURE0+Y-1:ne=Q);let Se=se[ne];Se===void 0&&(Se={type:void 0,texture:void 0},se[ne]=Se),(Se.type!==k||Se.texture!==re)&&(Q!==ne&&(i.activeTexture(ne),Q=ne),i.bindTexture(k,re||Te[k]),Se.type=k,Se.texture=re)}function U(){let k=se[Q];k!==void 0&&k.type!==void 0&&(i.bindTexture(k.type,null),k.type=void 0,k.texture=void 0)}function Pe(){try{i.compressedTexImage2D(...arguments)}catch(k){Ze("WebGLState:",k)}}function Ye(){try{i.compressedTexImage3D(...arguments)}catch(k){Ze("WebGLState:",k)}}function rt(){try{i.texSubImage2D(...arguments)}catch(k){Ze("WebGLState:",k)}}function Me(){try{i.texSubImage3D(...arguments)}catch(k){Ze("WebGLState:",k)}}function Vt(){try{i.compressedTexSubImage2D(...arguments)}catch(k){Ze("WebGLState:",k)}}function ze(){try{i.compressedTexSubImage3D(...arguments)}catch(k){Ze("WebGLState:",k)}}function $e(){try{i.texStorage2D(...arguments)}catch(k){Ze("WebGLState:",k)}}function T(){try{i.texStorage3D(...arguments)}catch(k){Ze("WebGLState:",k)}}function x(){try{i.texImage2D(...arguments)}catch(k){Ze("WebGLState:",k)}}function q(){try{i.texImage3D(...arguments)}catch(k){Ze("WebGLState:",k)}}function he(k){return u[k]!==void 0?u[k]:i.getParameter(k)}function oe(k,re){u[k]!==re&&(i.pixelStorei(k,re),u[k]=re)}function ve(k){ee.equals(k)===!1&&(i.scissor(k.x,k.y,k.z,k.w),ee.copy(k))}function ye(k){me.equals(k)===!1&&(i.viewport(k.x,k.y,k.z,k.w),me.copy(k))}function te(k,re){let ne=c.get(re);ne===void 0&&(ne=new WeakMap,c.set(re,ne));let Se=ne.get(k);Se===void 0&&(Se=i.getUniformBlockIndex(re,k.name),i.uniformBlockBinding(re,Se,Se),ne.set(k,Se))}function ie(k,re,ne){let ge=c.get(re).get(k);l[ge]!==ne&&(i.bindBufferBase(i.UNIFORM_BUFFER,ge,ne),l[ge]=ne)}function fe(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,se={},d={},l={},p=new WeakMap,f=[],y=null,m=!1,g=null,b=null,C=null,S=null,R=null,E=null,_=null,A=new lt(0,0,0),B=0,N=!1,I=null,z=null,H=null,D=null,W=null,ee.set(0,0,i.canvas.width,i.canvas.height),me.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:we,disable:We,bindFramebuffer:st,drawBuffers:Ve,useProgram:ft,setBlending:nn,setMaterial:Wt,setFlipSided:_n,setCullFace:Bt,setLineWidth:Fn,setPolygonOffset:St,setScissorTest:Cn,activeTexture:cn,bindTexture:yn,unbindTexture:U,compressedTexImage2D:Pe,compressedTexImage3D:Ye,texImage2D:x,texImage3D:q,pixelStorei:oe,getParameter:he,updateUBOMapping:te,uniformBlockBinding:ie,texStorage2D:$e,texStorage3D:T,texSubImage2D:rt,texSubImage3D:Me,compressedTexSubImage2D:Vt,compressedTexSubImage3D:ze,scissor:ve,viewport:ye,reset:fe}}function iP(i,e,t,n,s,r,o){let a=e.has("WEBGL_multisampled_render_to_texture")?e.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new ct,h=new WeakMap,u=new Set,d,p=new WeakMap,f=new Set,y=new FinalizationRegistry(T=>f.delete(T)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(T,x){return m?new OffscreenCanvas(T,x):gl("canvas")}function b(T,x,q){let he=1,oe=$e(T);if((oe.width>q||oe.height>q)&&(he=q/Math.max(oe.width,oe.height)),he<1)if(typeof HTMLImageElement<"u"&&T instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&T instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&T instanceof ImageBitmap||typeof VideoFrame<"u"&&T instanceof VideoFrame){let ve=Math.floor(he*oe.width),ye=Math.floor(he*oe.height);d===void 0&&(d=g(ve,ye));let te=x?g(ve,ye):d;return te.width=ve,te.height=ye,te.getContext("2d").drawImage(T,0,0,ve,ye),Xe("WebGLRenderer: Texture has been resized from ("+oe.width+"x"+oe.height+") to ("+ve+"x"+ye+")."),te}else return"data"in T&&Xe("WebGLRenderer: Image in DataTexture is too big ("+oe.width+"x"+oe.height+")."),T;return T}function C(T){return T.generateMipmaps}function S(T){i.generateMipmap(T)}function R(T){return T.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:T.isWebGL3DRenderTarget?i.TEXTURE_3D:T.isWebGLArrayRenderTarget||T.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function E(T,x,q,he,oe,ve=!1){if(T!==null){if(i[T]!==void 0)return i[T];Xe("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+T+"'")}let ye;he&&(ye=e.get("EXT_texture_norm16"),ye||Xe("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let te=x;if(x===i.RED&&(q===i.FLOAT&&(te=i.R32F),q===i.HALF_FLOAT&&(te=i.R16F),q===i.UNSIGNED_BYTE&&(te=i.R8),q===i.UNSIGNED_SHORT&&ye&&(te=ye.R16_EXT),q===i.SHORT&&ye&&(te=ye.R16_SNORM_EXT)),x===i.RED_INTEGER&&(q===i.UNSIGNED_BYTE&&(te=i.R8UI),q===i.UNSIGNED_SHORT&&(te=i.R16UI),q===i.UNSIGNED_INT&&(te=i.R32UI),q===i.BYTE&&(te=i.R8I),q===i.SHORT&&(te=i.R16I),q===i.INT&&(te=i.R32I)),x===i.RG&&(q===i.FLOAT&&(te=i.RG32F),q===i.HALF_FLOAT&&(te=i.RG16F),q===i.UNSIGNED_BYTE&&(te=i.RG8),q===i.UNSIGNED_SHORT&&ye&&(te=ye.RG16_EXT),q===i.SHORT&&ye&&(te=ye.RG16_SNORM_EXT)),x===i.RG_INTEGER&&(q===i.UNSIGNED_BYTE&&(te=i.RG8UI),q===i.UNSIGNED_SHORT&&(te=i.RG16UI),q===i.UNSIGNED_INT&&(te=i.RG32UI),q===i.BYTE&&(te=i.RG8I),q===i.SHORT&&(te=i.RG16I),q===i.INT&&(te=i.RG32I)),x===i.RGB_INTEGER&&(q===i.UNSIGNED_BYTE&&(te=i.RGB8UI),q===i.UNSIGNED_SHORT&&(te=i.RGB16UI),q===i.UNSIGNED_INT&&(te=i.RGB32UI),q===i.BYTE&&(te=i.RGB8I),q===i.SHORT&&(te=i.RGB16I),q===i.INT&&(te=i.RGB32I)),x===i.RGBA_INTEGER&&(q===i.UNSIGNED_BYTE&&(te=i.RGBA8UI),q===i.UNSIGNED_SHORT&&(te=i.RGBA16UI),q===i.UNSIGNED_INT&&(te=i.RGBA32UI),q===i.BYTE&&(te=i.RGBA8I),q===i.SHORT&&(te=i.RGBA16I),q===i.INT&&(te=i.RGBA32I)),x===i.RGB&&(q===i.UNSIGNED_SHORT&&ye&&(te=ye.RGB16_EXT),q===i.SHORT&&ye&&(te=ye.RGB16_SNORM_EXT),q===i.UNSIGNED_INT_5_9_9_9_REV&&(te=i.RGB9_E5),q===i.UNSIGNED_INT_10F_11F_11F_REV&&(te=i.R11F_G11F_B10F)),x===i.RGBA){let ie=ve?fl:bt.getTransfer(oe);q===i.FLOAT&&(te=i.RGBA32F),q===i.HALF_FLOAT&&(te=i.RGBA16F),q===i.UNSIGNED_BYTE&&(te=ie===It?i.SRGB8_ALPHA8:i.RGBA8),q===i.UNSIGNED_SHORT&&ye&&(te=ye.RGBA16_EXT),q===i.SHORT&&ye&&(te=ye.RGBA16_SNORM_EXT),q===i.UNSIGNED_SHORT_4_4_4_4&&(te=i.RGBA4),q===i.UNSIGNED_SHORT_5_5_5_1&&(te=i.RGB5_A1)}return(te===i.R16F||te===i.R32F||te===i.RG16F||te===i.RG32F||te===i.RGBA16F||te===i.RGBA32F)&&e.get("EXT_color_buffer_float"),te}function _(T,x){let q;return T?x===null||x===Ti||x===jr?q=i.DEPTH24_STENCIL8:x===ci?q=i.DEPTH32F_STENCIL8:x===pa&&(q=i.DEPTH24_STENCIL8,Xe("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):x===null||x===Ti||x===jr?q=i.DEPTH_COMPONENT24:x===ci?q=i.DEPTH_COMPONENT32F:x===pa&&(q=i.DEPTH_COMPONENT16),q}function A(T,x){return C(T)===!0||T.isFramebufferTexture&&T.minFilter!==An&&T.minFilter!==vn?Math.log2(Math.max(x.width,x.height))+1:T.mipmaps.length>0?T.mipmaps.length:T.isCompressedTexture&&Array.isArray(T.image)?x.mipmaps.length:1}function B(T){let x=new WeakRef(T);n.get(T).__ref=x,f.add(x),y.register(T,x,x)}function N(T){let x=n.get(T).__ref;x!==void 0&&(f.delete(x),y.unregister(x))}function I(T){H(T.target)}function z(T){D(T.target)}function H(T){T.removeEventListener("dispose",I),N(T),Y(T),T.isVideoTexture&&h.delete(T),T.isHTMLTexture&&u.delete(T)}function D(T){T.removeEventListener("dispose",z),N(T),ce(T)}function W(){for(let T of f){let x=T.deref();x!==void 0&&(x.isRenderTarget===!0?D(x):H(x))}f.clear(),u.clear()}function Y(T){let x=n.get(T);if(x.__webglInit===void 0)return;let q=T.source,he=p.get(q);if(he){let oe=he[x.__cacheKey];oe.usedTimes--,oe.usedTimes===0&&G(T),Object.keys(he).length===0&&p.delete(q)}n.remove(T)}function G(T){let x=n.get(T);i.deleteTexture(x.__webglTexture);let q=T.source,he=p.get(q);delete he[x.__cacheKey],o.memory.textures--}function ce(T){let x=n.get(T);x.__depthDisposeCallback&&x.__depthDisposeCallback();let q=T.depthTexture;if(q&&q.renderTarget===T&&H(q),T.isWebGLCubeRenderTarget)for(let oe=0;oe<6;oe++){if(Array.isArray(x.__webglFramebuffer[oe]))for(let ve=0;ve<x.__webglFramebuffer[oe].length;ve++)i.deleteFramebuffer(x.__webglFramebuffer[oe][ve]);else i.deleteFramebuffer(x.__webglFramebuffer[oe]);x.__webglDepthbuffer&&i.deleteRenderbuffer(x.__webglDepthbuffer[oe])}else{if(Array.isArray(x.__webglFramebuffer))for(let oe=0;oe<x.__webglFramebuffer.length;oe++)i.deleteFramebuffer(x.__webglFramebuffer[oe]);else i.deleteFramebuffer(x.__webglFramebuffer);if(x.__webglDepthbuffer&&i.deleteRenderbuffer(x.__webglDepthbuffer),x.__webglMultisampledFramebuffer&&i.deleteFramebuffer(x.__webglMultisampledFramebuffer),x.__webglColorRenderbuffer)for(let oe=0;oe<x.__webglColorRenderbuffer.length;oe++)x.__webglColorRenderbuffer[oe]&&i.deleteRenderbuffer(x.__webglColorRenderbuffer[oe]);x.__webglDepthRenderbuffer&&i.deleteRenderbuffer(x.__webglDepthRenderbuffer)}let he=T.textures;for(let oe=0,ve=he.length;oe<ve;oe++){let ye=n.get(he[oe]);ye.__webglTexture&&(i.deleteTexture(ye.__webglTexture),o.memory.textures--),n.remove(he[oe])}n.remove(T)}let J=0;function Q(){J=0}function se(){return J}function de(T){J=T}function ue(){let T=J;return T>=s.maxTextures&&Xe("WebGLTextures: Trying to use "+(T+1)+" texture units while this GPU supports only "+s.maxTextures),J+=1,T}function ee(T){let x=[];return x.push(T.wrapS),x.push(T.wrapT),x.push(T.wrapR||0),x.push(T.magFilter),x.push(T.minFilter),x.push(T.anisotropy),x.push(T.internalFormat),x.push(T.format),x.push(T.type),x.push(T.generateMipmaps),x.push(T.mipmapsAutoUpdate),x.push(T.premultiplyAlpha),x.push(T.flipY),x.push(T.unpackAlignment),x.push(T.colorSpace),x.join()}function me(T,x){let q=n.get(T);if(T.isVideoTexture&&Vt(T),T.isRenderTargetTexture===!1&&T.isExternalTexture!==!0&&T.version>0&&q.__version!==T.version){let he=T.image;if(he===null)Xe("WebGLRenderer: Texture marked for update but no image data found.");else if(he.complete===!1)Xe("WebGLRenderer: Texture marked for update but image is incomplete");else{Wt(q,T,x);return}}else T.isExternalTexture&&(q.__webglTexture=T.sourceTexture?T.sourceTexture:null);t.bindTexture(i.TEXTURE_2D,q.__webglTexture,i.TEXTURE0+x)}function _e(T,x){let q=n.get(T);if(T.isRenderTargetTexture===!1&&T.version>0&&q.__version!==T.version){Wt(q,T,x);return}else T.isExternalTexture&&(q.__webglTexture=T.sourceTexture?T.sourceTexture:null);t.bindTexture(i.TEXTURE_2D_ARRAY,q.__webglTexture,i.TEXTURE0+x)}function Te(T,x){let q=n.get(T);if(T.isRenderTargetTexture===!1&&T.version>0&&q.__version!==T.version){Wt(q,T,x);return}t.bindTexture(i.TEXTURE_3D,q.__webglTexture,i.TEXTURE0+x)}function we(T,x){let q=n.get(T);if(T.version>0&&q.__version!==T.version){_n(q,T,x);return}t.bindTexture(i.TEXTURE_CUBE_MAP,q.__webglTexture,i.TEXTURE0+x)}let We={[Zo]:i.REPEAT,[us]:i.CLAMP_TO_EDGE,[Ch]:i.MIRRORED_REPEAT},st={[An]:i.NEAREST,[py]:i.NEAREST_MIPMAP_NEAREST,[Nl]:i.NEAREST_MIPMAP_LINEAR,[vn]:i.LINEAR,[Zh]:i.LINEAR_MIPMAP_NEAREST,[Zi]:i.LINEAR_MIPMAP_LINEAR},Ve={[vy]:i.NEVER,[_m]:i.ALWAYS,[_y]:i.LESS,[Vl]:i.LEQUAL,[yy]:i.EQUAL,[vm]:i.GEQUAL,[by]:i.GREATER,[xy]:i.NOTEQUAL};function ft(T,x){if(x.type===ci&&e.has("OES_texture_float_linear")===!1&&(x.magFilter===vn||x.magFilter===Zh||x.magFilter===Nl||x.magFilter===Zi||x.minFilter===vn||x.minFilter===Zh||x.minFilter===Nl||x.minFilter===Zi)&&Xe("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(T,i.TEXTURE_WRAP_S,We[x.wrapS]),i.texParameteri(T,i.TEXTURE_WRAP_T,We[x.wrapT]),(T===i.TEXTURE_3D||T===i.TEXTURE_2D_ARRAY)&&i.texParameteri(T,i.TEXTURE_WRAP_R,We[x.wrapR]),i.texParameteri(T,i.TEXTURE_MAG_FILTER,st[x.magFilter]),i.texParameteri(T,i.TEXTURE_MIN_FILTER,st[x.minFilter]),x.compareFunction&&(i.texParameteri(T,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(T,i.TEXTURE_COMPARE_FUNC,Ve[x.compareFunction])),e.has("EXT_texture_filter_anisotropic")===!0){if(x.magFilter===An||x.minFilter!==Nl&&x.minFilter!==Zi||x.type===ci&&e.has("OES_texture_float_linear")===!1)return;if(x.anisotropy>1||n.get(x).__currentAnisotropy){let q=e.get("EXT_texture_filter_anisotropic");i.texParameterf(T,q.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(x.anisotropy,s.getMaxAnisotropy())),n.get(x).__currentAnisotropy=x.anisotropy}}}function ut(T,x){let q=!1;T.__webglInit===void 0&&(T.__webglInit=!0,x.addEventListener("dispose",I),B(x));let he=x.source,oe=p.get(he);oe===void 0&&(oe={},p.set(he,oe));let ve=ee(x);if(ve!==T.__cacheKey){oe[ve]===void 0&&(oe[ve]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,q=!0),oe[ve].usedTimes++;let ye=oe[T.__cacheKey];ye!==void 0&&(oe[T.__cacheKey].usedTimes--,ye.usedTimes===0&&G(x)),T.__cacheKey=ve,T.__webglTexture=oe[ve].texture}return q}function nt(T,x,q){return Math.floor(Math.floor(T/q)/x)}function nn(T,x,q,he){let ve=T.updateRanges;if(ve.length===0)t.texSubImage2D(i.TEXTURE_2D,0,0,0,x.width,x.height,q,he,x.data);else{ve.sort((k,re)=>k.start-re.start);let ye=0;for(let k=1;k<ve.length;k++){let re=ve[ye],ne=ve[k],Se=re.start+re.count,ge=nt(ne.start,x.width,4),xe=nt(re.start,x.width,4);ne.start<=Se+1&&ge===xe&&nt(ne.start+ne.count-1,x.width,4)===ge?re.count=Math.max(re.count,ne.start+ne.count-re.start):(++ye,ve[ye]=ne)}ve.length=ye+1;let te=t.getParameter(i.UNPACK_ROW_LENGTH),ie=t.getParameter(i.UNPACK_SKIP_PIXELS),fe=t.getParameter(i.UNPACK_SKIP_ROWS);t.pixelStorei(i.UNPACK_ROW_LENGTH,x.width);for(let k=0,re=ve.length;k<re;k++){let ne=ve[k],Se=Math.floor(ne.start/4),ge=Math.ceil(ne.count/4),xe=Se%x.width,Ge=Math.floor(Se/x.width),je=ge,le=1;t.pixelStorei(i.UNPACK_SKIP_PIXELS,xe),t.pixelStorei(i.UNPACK_SKIP_ROWS,Ge),t.texSubImage2D(i.TEXTURE_2D,0,xe,Ge,je,le,q,he,x.data)}T.clearUpdateRanges(),t.pixelStorei(i.UNPACK_ROW_LENGTH,te),t.pixelStorei(i.UNPACK_SKIP_PIXELS,ie),t.pixelStorei(i.UNPACK_SKIP_ROWS,fe)}}function Wt(T,x,q){let he=i.TEXTURE_2D;(x.isDataArrayTexture||x.isCompressedArrayTexture)&&(he=i.TEXTURE_2D_ARRAY),x.isData3DTexture&&(he=i.TEXTURE_3D);let oe=ut(T,x),ve=x.source;t.bindTexture(he,T.__webglTexture,i.TEXTURE0+q);let ye=n.get(ve);if(ve.version!==ye.__version||oe===!0){if(t.activeTexture(i.TEXTURE0+q),(typeof ImageBitmap<"u"&&x.image instanceof ImageBitmap)===!1){let le=bt.getPrimaries(bt.workingColorSpace),Ue=x.colorSpace===Hs?null:bt.getPrimaries(x.colorSpace),Je=x.colorSpace===Hs||le===Ue?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,x.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,x.premultiplyAlpha),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Je)}t.pixelStorei(i.UNPACK_ALIGNMENT,x.unpackAlignment);let ie=b(x.image,!1,s.maxTextureSize);ie=ze(x,ie);let fe=r.convert(x.format,x.colorSpace),k=r.convert(x.type),re=E(x.internalFormat,fe,k,x.normalized,x.colorSpace,x.isVideoTexture);ft(he,x);let ne,Se=x.mipmaps,ge=x.isVideoTexture!==!0,xe=ye.__version===void 0||oe===!0,Ge=ve.dataReady,je=A(x,ie);if(x.isDepthTexture)re=_(x.format===Gs,x.type),xe&&(ge?t.texStorage2D(i.TEXTURE_2D,1,re,ie.width,ie.height):t.texImage2D(i.TEXTURE_2D,0,re,ie.width,ie.height,0,fe,k,null));else if(x.isDataTexture)if(Se.length>0){ge&&xe&&t.texStorage2D(i.TEXTURE_2D,je,re,Se[0].width,Se[0].height);for(let le=0,Ue=Se.length;le<Ue;le++)ne=Se[le],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,fe,k,ne.data):t.texImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,fe,k,ne.data);x.generateMipmaps=!1}else ge?(xe&&t.texStorage2D(i.TEXTURE_2D,je,re,ie.width,ie.height),Ge&&nn(x,ie,fe,k)):t.texImage2D(i.TEXTURE_2D,0,re,ie.width,ie.height,0,fe,k,ie.data);else if(x.isCompressedTexture)if(x.isCompressedArrayTexture){ge&&xe&&t.texStorage3D(i.TEXTURE_2D_ARRAY,je,re,Se[0].width,Se[0].height,ie.depth);for(let le=0,Ue=Se.length;le<Ue;le++)if(ne=Se[le],x.format!==Jn)if(fe!==null)if(ge){if(Ge)if(x.layerUpdates.size>0){let Je=Sm(ne.width,ne.height,x.format,x.type);for(let Ce of x.layerUpdates){let at=ne.data.subarray(Ce*Je/ne.data.BYTES_PER_ELEMENT,(Ce+1)*Je/ne.data.BYTES_PER_ELEMENT);t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,Ce,ne.width,ne.height,1,fe,at)}}else t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,0,ne.width,ne.height,ie.depth,fe,ne.data)}else t.compressedTexImage3D(i.TEXTURE_2D_ARRAY,le,re,ne.width,ne.height,ie.depth,0,ne.data,0,0);else Xe("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else ge?Ge&&t.texSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,0,ne.width,ne.height,ie.depth,fe,k,ne.data):t.texImage3D(i.TEXTURE_2D_ARRAY,le,re,ne.width,ne.height,ie.depth,0,fe,k,ne.data);x.layerUpdates.size>0&&x.clearLayerUpdates()}else{ge&&xe&&t.texStorage2D(i.TEXTURE_2D,je,re,Se[0].width,Se[0].height);for(let le=0,Ue=Se.length;le<Ue;le++)ne=Se[le],x.format!==Jn?fe!==null?ge?Ge&&t.compressedTexSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,fe,ne.data):t.compressedTexImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,ne.data):Xe("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,fe,k,ne.data):t.texImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,fe,k,ne.data)}else if(x.isDataArrayTexture)if(ge){if(xe&&t.texStorage3D(i.TEXTURE_2D_ARRAY,je,re,ie.width,ie.height,ie.depth),Ge)if(x.layerUpdates.size>0){let le=Sm(ie.width,ie.height,x.format,x.type);for(let Ue of x.layerUpdates){let Je=ie.data.subarray(Ue*le/ie.data.BYTES_PER_ELEMENT,(Ue+1)*le/ie.data.BYTES_PER_ELEMENT);t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Ue,ie.width,ie.height,1,fe,k,Je)}x.clearLayerUpdates()}else t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,ie.width,ie.height,ie.depth,fe,k,ie.data)}else t.texImage3D(i.TEXTURE_2D_ARRAY,0,re,ie.width,ie.height,ie.depth,0,fe,k,ie.data);else if(x.isData3DTexture)ge?(xe&&t.texStorage3D(i.TEXTURE_3D,je,re,ie.width,ie.height,ie.depth),Ge&&t.texSubImage3D(i.TEXTURE_3D,0,0,0,0,ie.width,ie.height,ie.depth,fe,k,ie.data)):t.texImage3D(i.TEXTURE_3D,0,re,ie.width,ie.height,ie.depth,0,fe,k,ie.data);else if(x.isFramebufferTexture){if(xe)if(ge)t.texStorage2D(i.TEXTURE_2D,je,re,ie.width,ie.height);else{let le=ie.width,Ue=ie.height;for(let Je=0;Je<je;Je++)t.texImage2D(i.TEXTURE_2D,Je,re,le,Ue,0,fe,k,null),le>>=1,Ue>>=1}}else if(x.isHTMLTexture){if("texElementImage2D"in i){let le=i.canvas;if(le.hasAttribute("layoutsubtree")||le.setAttribute("layoutsubtree","true"),ie.parentNode!==le){le.appendChild(ie),u.add(x),le.onpaint=Ue=>{let Je=Ue.changedElements;for(let Ce of u)Je.includes(Ce.image)&&(Ce.needsUpdate=!0)},le.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,ie);else{let Je=i.RGBA,Ce=i.RGBA,at=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Je,Ce,at,ie)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(Se.length>0){if(ge&&xe){let le=$e(Se[0]);t.texStorage2D(i.TEXTURE_2D,je,re,le.width,le.height)}for(let le=0,Ue=Se.length;le<Ue;le++)ne=Se[le],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,fe,k,ne):t.texImage2D(i.TEXTURE_2D,le,re,fe,k,ne);x.generateMipmaps=!1}else if(ge){if(xe){let le=$e(ie);t.texStorage2D(i.TEXTURE_2D,je,re,le.width,le.height)}Ge&&t.texSubImage2D(i.TEXTURE_2D,0,0,0,fe,k,ie)}else t.texImage2D(i.TEXTURE_2D,0,re,fe,k,ie);C(x)&&x.mipmapsAutoUpdate===!0&&S(he),ye.__version=ve.version,x.onUpdate&&x.onUpdate(x)}T.__version=x.version}function _n(T,x,q){if(x.image.length!==6)return;let he=ut(T,x),oe=x.source;t.bindTexture(i.TEXTURE_CUBE_MAP,T.__webglTexture,i.TEXTURE0+q);let ve=n.get(oe);if(oe.version!==ve.__version||he===!0){t.activeTexture(i.TEXTURE0+q);let ye=bt.getPrimaries(bt.workingColorSpace),te=x.colorSpace===Hs?null:bt.getPrimaries(x.colorSpace),ie=x.colorSpace===Hs||ye===te?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,x.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,x.premultiplyAlpha),t.pixelStorei(i.UNPACK_ALIGNMENT,x.unpackAlignment),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,ie);let fe=x.isCompressedTexture||x.image[0].isCompressedTexture,k=x.image[0]&&x.image[0].isDataTexture,re=[];for(let Ce=0;Ce<6;Ce++)!fe&&!k?re[Ce]=b(x.image[Ce],!0,s.maxCubemapSize):re[Ce]=k?x.image[Ce].image:x.image[Ce],re[Ce]=ze(x,re[Ce]);let ne=re[0],Se=r.convert(x.format,x.colorSpace),ge=r.convert(x.type),xe=E(x.internalFormat,Se,ge,x.normalized,x.colorSpace),Ge=x.isVideoTexture!==!0,je=ve.__version===void 0||he===!0,le=oe.dataReady,Ue=A(x,ne);ft(i.TEXTURE_CUBE_MAP,x);let Je;if(x.isDepthTexture){if(xe=_(x.format===Gs,x.type),je)if(Ge)t.texStorage2D(i.TEXTURE_CUBE_MAP,1,xe,ne.width,ne.height);else for(let Ce=0;Ce<6;Ce++)t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,0,xe,ne.width,ne.height,0,Se,ge,null)}else if(fe){Ge&&je&&t.texStorage2D(i.TEXTURE_CUBE_MAP,Ue,xe,ne.width,ne.height);for(let Ce=0;Ce<6;Ce++){Je=re[Ce].mipmaps;for(let at=0;at<Je.length;at++){let Kt=Je[at];x.format!==Jn?Se!==null?Ge?le&&t.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at,0,0,Kt.width,Kt.height,Se,Kt.data):t.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at,xe,Kt.width,Kt.height,0,Kt.data):Xe("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at,0,0,Kt.width,Kt.height,Se,ge,Kt.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at,xe,Kt.width,Kt.height,0,Se,ge,Kt.data)}}}else{if(Je=x.mipmaps,Ge&&je){Je.length>0&&Ue++;let Ce=$e(re[0]);t.texStorage2D(i.TEXTURE_CUBE_MAP,Ue,xe,Ce.width,Ce.height)}for(let Ce=0;Ce<6;Ce++)if(k){Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,0,0,0,re[Ce].width,re[Ce].height,Se,ge,re[Ce].data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,0,xe,re[Ce].width,re[Ce].height,0,Se,ge,re[Ce].data);for(let at=0;at<Je.length;at++){let Qn=Je[at].image[Ce].image;Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at+1,0,0,Qn.width,Qn.height,Se,ge,Qn.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at+1,xe,Qn.width,Qn.height,0,Se,ge,Qn.data)}}else{Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,0,0,0,Se,ge,re[Ce]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,0,xe,Se,ge,re[Ce]);for(let at=0;at<Je.length;at++){let Kt=Je[at];Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at+1,0,0,Se,ge,Kt.image[Ce]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Ce,at+1,xe,Se,ge,Kt.image[Ce])}}}C(x)&&x.mipmapsAutoUpdate===!0&&S(i.TEXTURE_CUBE_MAP),ve.__version=oe.version,x.onUpdate&&x.onUpdate(x)}T.__version=x.version}function Bt(T,x,q,he,oe,ve){let ye=r.convert(q.format,q.colorSpace),te=r.convert(q.type),ie=E(q.internalFormat,ye,te,q.normalized,q.colorSpace),fe=n.get(x),k=n.get(q);if(k.__renderTarget=x,!fe.__hasExternalTextures){let re=Math.max(1,x.width>>ve),ne=Math.max(1,x.height>>ve);oe===i.TEXTURE_3D||oe===i.TEXTURE_2D_ARRAY?t.texImage3D(oe,ve,ie,re,ne,x.depth,0,ye,te,null):t.texImage2D(oe,ve,ie,re,ne,0,ye,te,null)}t.bindFramebuffer(i.FRAMEBUFFER,T),Me(x)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,he,oe,k.__webglTexture,0,rt(x)):(oe===i.TEXTURE_2D||oe>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&oe<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,he,oe,k.__webglTexture,ve),t.bindFramebuffer(i.FRAMEBUFFER,null)}function Fn(T,x,q){if(i.bindRenderbuffer(i.RENDERBUFFER,T),x.depthBuffer){let he=x.depthTexture,oe=he&&he.isDepthTexture?he.type:null,ve=_(x.stencilBuffer,oe),ye=x.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;Me(x)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(x),ve,x.width,x.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(x),ve,x.width,x.height):i.renderbufferStorage(i.RENDERBUFFER,ve,x.width,x.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,ye,i.RENDERBUFFER,T)}else{let he=x.textures;for(let oe=0;oe<he.length;oe++){let ve=he[oe],ye=r.convert(ve.format,ve.colorSpace),te=r.convert(ve.type),ie=E(ve.internalFormat,ye,te,ve.normalized,ve.colorSpace);Me(x)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(x),ie,x.width,x.height):q?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(x),ie,x.width,x.height):i.renderbufferStorage(i.RENDERBUFFER,ie,x.width,x.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function St(T,x,q){let he=x.isWebGLCubeRenderTarget===!0;if(t.bindFramebuffer(i.FRAMEBUFFER,T),!(x.depthTexture&&x.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let oe=n.get(x.depthTexture);oe.__renderTarget=x;let ve=he?x.depthTexture.image[0]:x.depthTexture.image;(!oe.__webglTexture||ve.width!==x.width||ve.height!==x.height)&&(ve.width=x.width,ve.height=x.height,x.depthTexture.needsUpdate=!0),he?we(x.depthTexture,0):me(x.depthTexture,0);let ye=oe.__webglTexture,te=rt(x),ie=he?i.TEXTURE_CUBE_MAP_POSITIVE_X+q:i.TEXTURE_2D,fe=x.depthTexture.format===Gs?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(x.depthTexture.format===Bs)Me(x)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,fe,ie,ye,0,te):i.framebufferTexture2D(i.FRAMEBUFFER,fe,ie,ye,0);else if(x.depthTexture.format===Gs)Me(x)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,fe,ie,ye,0,te):i.framebufferTexture2D(i.FRAMEBUFFER,fe,ie,ye,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function Cn(T){let x=n.get(T),q=T.isWebGLCubeRenderTarget===!0;if(x.__boundDepthTexture!==T.depthTexture){let he=T.depthTexture;if(x.__depthDisposeCallback&&x.__depthDisposeCallback(),he){let oe=()=>{delete x.__boundDepthTexture,delete x.__depthDisposeCallback,he.removeEventListener("dispose",oe)};he.addEventListener("dispose",oe),x.__depthDisposeCallback=oe}x.__boundDepthTexture=he}if(T.depthTexture&&!x.__autoAllocateDepthBuffer)if(q)for(let he=0;he<6;he++)St(x.__webglFramebuffer[he],T,he);else T.texture.mipmaps.length>0?St(x.__webglFramebuffer[0],T,0):St(x.__webglFramebuffer,T,0);else if(q){x.__webglDepthbuffer=[];for(let he=0;he<6;he++)if(t.bindFramebuffer(i.FRAMEBUFFER,x.__webglFramebuffer[he]),x.__webglDepthbuffer[he]===void 0)x.__webglDepthbuffer[he]=i.createRenderbuffer(),Fn(x.__webglDepthbuffer[he],T,!1);else{let oe=T.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ve=x.__webglDepthbuffer[he];i.bindRenderbuffer(i.RENDERBUFFER,ve),i.framebufferRenderbuffer(i.FRAMEBUFFER,oe,i.RENDERBUFFER,ve)}}else if(T.texture.mipmaps.length>0?t.bindFramebuffer(i.FRAMEBUFFER,x.__webglFramebuffer[0]):t.bindFramebuffer(i.FRAMEBUFFER,x.__webglFramebuffer),x.__webglDepthbuffer===void 0)x.__webglDepthbuffer=i.createRenderbuffer(),Fn(x.__webglDepthbuffer,T,!1);else{let oe=T.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ve=x.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,ve),i.framebufferRenderbuffer(i.FRAMEBUFFER,oe,i.RENDERBUFFER,ve)}t.bindFramebuffer(i.FRAMEBUFFER,null)}function cn(T,x,q){let he=n.get(T);x!==void 0&&Bt(he.__webglFramebuffer,T,T.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),q!==void 0&&Cn(T)}function yn(T){let x=T.texture,q=n.get(T),he=n.get(x);T.addEventListener("dispose",z),B(T);let oe=T.textures,ve=T.isWebGLCubeRenderTarget===!0,ye=oe.length>1;if(ye||(he.__webglTexture===void 0&&(he.__webglTexture=i.createTexture()),he.__version=x.version,o.memory.textures++),ve){q.__webglFramebuffer=[];for(let te=0;te<6;te++)if(x.mipmaps.length>0){q.__webglFramebuffer[te]=[];for(let ie=0;ie<x.mipmaps.length;ie++)q.__webglFramebuffer[te][ie]=i.createFramebuffer()}else q.__webglFramebuffer[te]=i.createFramebuffer()}else{if(x.mipmaps.length>0){q.__webglFramebuffer=[];for(let te=0;te<x.mipmaps.length;te++)q.__webglFramebuffer[te]=i.createFramebuffer()}else q.__webglFramebuffer=i.createFramebuffer();if(ye)for(let te=0,ie=oe.length;te<ie;te++){let fe=n.get(oe[te]);fe.__webglTexture===void 0&&(fe.__webglTexture=i.createTexture(),o.memory.textures++)}if(T.samples>0&&Me(T)===!1){q.__webglMultisampledFramebuffer=i.createFramebuffer(),q.__webglColorRenderbuffer=[],t.bindFramebuffer(i.FRAMEBUFFER,q.__webglMultisampledFramebuffer);for(let te=0;te<oe.length;te++){let ie=oe[te];q.__webglColorRenderbuffer[te]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,q.__webglColorRenderbuffer[te]);let fe=r.convert(ie.format,ie.colorSpace),k=r.convert(ie.type),re=E(ie.internalFormat,fe,k,ie.normalized,ie.colorSpace,T.isXRRenderTarget===!0),ne=rt(T);i.renderbufferStorageMultisample(i.RENDERBUFFER,ne,re,T.width,T.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+te,i.RENDERBUFFER,q.__webglColorRenderbuffer[te])}i.bindRenderbuffer(i.RENDERBUFFER,null),T.depthBuffer&&(q.__webglDepthRenderbuffer=i.createRenderbuffer(),Fn(q.__webglDepthRenderbuffer,T,!0)),t.bindFramebuffer(i.FRAMEBUFFER,null)}}if(ve){t.bindTexture(i.TEXTURE_CUBE_MAP,he.__webglTexture),ft(i.TEXTURE_CUBE_MAP,x);for(let te=0;te<6;te++)if(x.mipmaps.length>0)for(let ie=0;ie<x.mipmaps.length;ie++)Bt(q.__webglFramebuffer[te][ie],T,x,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+te,ie);else Bt(q.__webglFramebuffer[te],T,x,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+te,0);C(x)?S(i.TEXTURE_CUBE_MAP):x.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,x.mipmaps.length-1),t.unbindTexture()}else if(ye){for(let te=0,ie=oe.length;te<ie;te++){let fe=oe[te],k=n.get(fe),re=i.TEXTURE_2D;(T.isWebGL3DRenderTarget||T.isWebGLArrayRenderTarget)&&(re=T.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(re,k.__webglTexture),ft(re,fe),Bt(q.__webglFramebuffer,T,fe,i.COLOR_ATTACHMENT0+te,re,0),C(fe)&&S(re)}t.unbindTexture()}else{let te=i.TEXTURE_2D;if((T.isWebGL3DRenderTarget||T.isWebGLArrayRenderTarget)&&(te=T.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(te,he.__webglTexture),ft(te,x),x.mipmaps.length>0)for(let ie=0;ie<x.mipmaps.length;ie++)Bt(q.__webglFramebuffer[ie],T,x,i.COLOR_ATTACHMENT0,te,ie);else Bt(q.__webglFramebuffer,T,x,i.COLOR_ATTACHMENT0,te,0);C(x)?S(te):x.mipmaps.length>0&&i.texParameteri(te,i.TEXTURE_MAX_LEVEL,x.mipmaps.length-1),t.unbindTexture()}T.depthBuffer&&Cn(T)}function U(T){let x=T.textures;for(let q=0,he=x.length;q<he;q++){let oe=x[q];if(C(oe)&&oe.mipmapsAutoUpdate===!0){let ve=R(T),ye=n.get(oe).__webglTexture;t.bindTexture(ve,ye),S(ve),t.unbindTexture()}}}let Pe=[];function Ye(T){if(T.samples>0){if(Me(T)===!1){let x=T.textures,q=T.width,he=T.height,oe=i.COLOR_BUFFER_BIT,ve=T.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,ye=n.get(T),te=x.length>1;if(te)for(let fe=0;fe<x.length;fe++)t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.RENDERBUFFER,null),t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.TEXTURE_2D,null,0);t.bindFramebuffer(i.READ_FRAMEBUFFER,ye.__webglMultisampledFramebuffer),T.texture.mipmaps.length>0?t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ye.__webglFramebuffer[0]):t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ye.__webglFramebuffer);for(let fe=0;fe<x.length;fe++){if(T.resolveDepthBuffer&&(T.depthBuffer&&(oe|=i.DEPTH_BUFFER_BIT),T.stencilBuffer&&T.resolveStencilBuffer&&(oe|=i.STENCIL_BUFFER_BIT)),te){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,ye.__webglColorRenderbuffer[fe]);let k=n.get(x[fe]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,k,0)}i.blitFramebuffer(0,0,q,he,0,0,q,he,oe,i.NEAREST),l===!0&&(Pe.length=0,Pe.push(i.COLOR_ATTACHMENT0+fe),T.depthBuffer&&T.storeMultisampledDepthBuffer===!1&&Pe.push(ve),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Pe))}if(t.bindFramebuffer(i.READ_FRAMEBUFFER,null),t.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),te)for(let fe=0;fe<x.length;fe++){t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.RENDERBUFFER,ye.__webglColorRenderbuffer[fe]);let k=n.get(x[fe]).__webglTexture;t.bindFramebuffer(i.FRAMEBUFFER,ye.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+fe,i.TEXTURE_2D,k,0)}t.bindFramebuffer(i.DRAW_FRAMEBUFFER,ye.__webglMultisampledFramebuffer)}else if(T.depthBuffer&&T.storeMultisampledDepthBuffer===!1&&l){let x=T.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[x])}}}function rt(T){return Math.min(s.maxSamples,T.samples)}function Me(T){let x=n.get(T);return T.samples>0&&e.has("WEBGL_multisampled_render_to_texture")===!0&&x.__useRenderToTexture!==!1}function Vt(T){let x=o.render.frame;h.get(T)!==x&&(h.set(T,x),T.update())}function ze(T,x){let q=T.colorSpace,he=T.format,oe=T.type;return T.isCompressedTexture===!0||T.isVideoTexture===!0||q!==pl&&q!==Hs&&(bt.getTransfer(q)===It?(he!==Jn||oe!==li)&&Xe("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Ze("WebGLTextures: Unsupported texture color space:",q)),x}function $e(T){return typeof HTMLImageElement<"u"&&T instanceof HTMLImageElement?(c.width=T.naturalWidth||T.width,c.height=T.naturalHeight||T.height):typeof VideoFrame<"u"&&T instanceof VideoFrame?(c.width=T.displayWidth,c.height=T.displayHeight):(c.width=T.width,c.height=T.height),c}this.allocateTextureUnit=ue,this.resetTextureUnits=Q,this.getTextureUnits=se,this.setTextureUnits=de,this.setTexture2D=me,this.setTexture2DArray=_e,this.setTexture3D=Te,this.setTextureCube=we,this.rebindTextures=cn,this.setupRenderTarget=yn,this.updateRenderTargetMipmap=U,this.updateMultisampleRenderTarget=Ye,this.setupDepthRenderbuffer=Cn,this.setupFrameBufferTexture=Bt,this.useMultisampledRTT=Me,this.dispose=W}function sP(i,e){function t(n,s=Hs){let r,o=bt.getTransfer(s);if(n===li)return i.UNSIGNED_BYTE;if(n===eu)return i.UNSIGNED_SHORT_4_4_4_4;if(n===tu)return i.UNSIGNED_SHORT_5_5_5_1;if(n===dm)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===pm)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===hm)return i.BYTE;if(n===um)return i.SHORT;if(n===pa)return i.UNSIGNED_SHORT;if(n===Qh)return i.INT;if(n===Ti)return i.UNSIGNED_INT;if(n===ci)return i.FLOAT;if(n===Qi)return i.HALF_FLOAT;if(n===fm)return i.ALPHA;if(n===mm)return i.RGB;if(n===Jn)return i.RGBA;if(n===Bs)return i.DEPTH_COMPONENT;if(n===Gs)return i.DEPTH_STENCIL;if(n===nu)return i.RED;if(n===iu)return i.RED_INTEGER;if(n===xr)return i.RG;if(n===su)return i.RG_INTEGER;if(n===ru)return i.RGBA_INTEGER;if(n===Fl||n===kl||n===Ul||n===Ol)if(o===It)if(r=e.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===Fl)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===kl)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Ul)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Ol)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=e.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===Fl)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===kl)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Ul)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Ol)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===ou||n===au||n===lu||n===cu)if(r=e.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===ou)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===au)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===lu)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===cu)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===hu||n===uu||n===du||n===pu||n===fu||n===Bl||n===mu)if(r=e.get("WEBGL_compressed_texture_etc"),r!==null){if(n===hu||n===uu)return o===It?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===du)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===pu)return r.COMPRESSED_R11_EAC;if(n===fu)return r.COMPRESSED_SIGNED_R11_EAC;if(n===Bl)return r.COMPRESSED_RG11_EAC;if(n===mu)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===gu||n===vu||n===_u||n===yu||n===bu||n===xu||n===wu||n===Mu||n===Su||n===Au||n===Eu||n===Tu||n===Cu||n===Pu)if(r=e.get("WEBGL_compressed_texture_astc"),r!==null){if(n===gu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===vu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===_u)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===yu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===bu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===xu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===wu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===Mu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Su)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Au)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Eu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Tu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Cu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Pu)return o===It?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Ru||n===Iu||n===Lu)if(r=e.get("EXT_texture_compression_bptc"),r!==null){if(n===Ru)return o===It?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Iu)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Lu)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Du||n===Nu||n===zl||n===Fu)if(r=e.get("EXT_texture_compression_rgtc"),r!==null){if(n===Du)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Nu)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===zl)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Fu)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===jr?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:t}}var rP=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,oP=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,Dm=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new Tl(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new Xt({vertexShader:rP,fragmentShader:oP,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new qt(new Xr(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Nm=class extends ds{constructor(e,t){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,d=null,p=null,f=null,y=typeof XRWebGLBinding<"u",m=new Dm,g={},b=t.getContextAttributes(),C=null,S=null,R=[],E=[],_=new ct,A=null,B=null,N=new qn;N.viewport=new xt;let I=new qn;I.viewport=new xt;let z=[N,I],H=new Kh,D=null,W=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(ee){let me=R[ee];return me===void 0&&(me=new na,R[ee]=me),me.getTargetRaySpace()},this.getControllerGrip=function(ee){let me=R[ee];return me===void 0&&(me=new na,R[ee]=me),me.getGripSpace()},this.getHand=function(ee){let me=R[ee];return me===void 0&&(me=new na,R[ee]=me),me.getHandSpace()};function Y(ee){let me=E.indexOf(ee.inputSource);if(me===-1)return;let _e=R[me];_e!==void 0&&(_e.update(ee.inputSource,ee.frame,c||o),_e.dispatchEvent({type:ee.type,data:ee.inputSource}))}function G(){s.removeEventListener("select",Y),s.removeEventListener("selectstart",Y),s.removeEventListener("selectend",Y),s.removeEventListener("squeeze",Y),s.removeEventListener("squeezestart",Y),s.removeEventListener("squeezeend",Y),s.removeEventListener("end",G),s.removeEventListener("inputsourceschange",ce);for(let ee=0;ee<R.length;ee++){let me=E[ee];me!==null&&(E[ee]=null,R[ee].disconnect(me))}D=null,W=null,m.reset();for(let ee in g)delete g[ee];if(e.setRenderTarget(C),p=null,d=null,u=null,s=null,S=null,ue.stop(),n.isPresenting=!1,e.setPixelRatio(A),e.setSize(_.width,_.height,!1),B!==null){let ee=B.camera;ee.fov=B.fov,ee.zoom=B.zoom,ee.updateProjectionMatrix(),B=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(ee){r=ee,n.isPresenting===!0&&Xe("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(ee){a=ee,n.isPresenting===!0&&Xe("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(ee){c=ee},this.getBaseLayer=function(){return d!==null?d:p},this.getBinding=function(){return u===null&&y&&(u=new XRWebGLBinding(s,t)),u},this.getFrame=function(){return f},this.getSession=function(){return s},this.setSession=async function(ee){if(s=ee,s!==null){if(C=e.getRenderTarget(),s.addEventListener("select",Y),s.addEventListener("selectstart",Y),s.addEventListener("selectend",Y),s.addEventListener("squeeze",Y),s.addEventListener("squeezestart",Y),s.addEventListener("squeezeend",Y),s.addEventListener("end",G),s.addEventListener("inputsourceschange",ce),b.xrCompatible!==!0&&await t.makeXRCompatible(),A=e.getPixelRatio(),e.getSize(_),y&&"createProjectionLayer"in XRWebGLBinding.prototype){let _e=null,Te=null,we=null;b.depth&&(we=b.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,_e=b.stencil?Gs:Bs,Te=b.stencil?jr:Ti);let We={colorFormat:t.RGBA8,depthFormat:we,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(We),s.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),S=new Xn(d.textureWidth,d.textureHeight,{format:Jn,type:li,depthTexture:new Ji(d.textureWidth,d.textureHeight,Te,void 0,void 0,void 0,void 0,void 0,void 0,_e),stencilBuffer:b.stencil,colorSpace:e.outputColorSpace,samples:b.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let _e={antialias:b.antialias,alpha:!0,depth:b.depth,stencil:b.stencil,framebufferScaleFactor:r};p=new XRWebGLLayer(s,t,_e),s.updateRenderState({baseLayer:p}),e.setPixelRatio(1),e.setSize(p.framebufferWidth,p.framebufferHeight,!1),S=new Xn(p.framebufferWidth,p.framebufferHeight,{format:Jn,type:li,colorSpace:e.outputColorSpace,stencilBuffer:b.stencil,resolveDepthBuffer:p.ignoreDepthValues===!1,resolveStencilBuffer:p.ignoreDepthValues===!1,storeMultisampledDepthBuffer:p.ignoreDepthValues===!1,storeMultisampledStencilBuffer:p.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),ue.setContext(s),ue.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function ce(ee){for(let me=0;me<ee.removed.length;me++){let _e=ee.removed[me],Te=E.indexOf(_e);Te>=0&&(E[Te]=null,R[Te].disconnect(_e))}for(let me=0;me<ee.added.length;me++){let _e=ee.added[me],Te=E.indexOf(_e);if(Te===-1){for(let We=0;We<R.length;We++)if(We>=E.length){E.push(_e),Te=We;break}else if(E[We]===null){E[We]=_e,Te=We;break}if(Te===-1)break}let we=R[Te];we&&we.connect(_e)}}function J(ee,me){me===null?ee.matrixWorld.copy(ee.matrix):ee.matrixWorld.multiplyMatrices(me.matrixWorld,ee.matrix),ee.matrixWorldInverse.copy(ee.matrixWorld).invert()}this.updateCamera=function(ee){if(s===null)return;let me=ee.near,_e=ee.far;m.texture!==null&&(m.depthNear>0&&(me=m.depthNear),m.depthFar>0&&(_e=m.depthFar)),H.near=I.near=N.near=me,H.far=I.far=N.far=_e,(D!==H.near||W!==H.far)&&(s.updateRenderState({depthNear:H.near,depthFar:H.far}),D=H.near,W=H.far),H.layers.mask=ee.layers.mask|6,N.layers.mask=H.layers.mask&-5,I.layers.mask=H.layers.mask&-3;let Te=ee.parent,we=H.cameras;J(H,Te);for(let We=0;We<we.length;We++)J(we[We],Te);H.projectionMatrix.copy(N.projectionMatrix),H.projectionMatrixInverse.copy(N.projectionMatrixInverse),B===null&&ee.isPerspectiveCamera&&(B={camera:ee,fov:ee.fov,zoom:ee.zoom}),Q(ee,H,Te)};function Q(ee,me,_e){_e===null?ee.matrix.copy(me.matrixWorld):(ee.matrix.copy(_e.matrixWorld),ee.matrix.invert(),ee.matrix.multiply(me.matrixWorld)),ee.matrix.decompose(ee.position,ee.quaternion,ee.scale),ee.updateMatrixWorld(!0),ee.projectionMatrix.copy(me.projectionMatrix),ee.projectionMatrixInverse.copy(me.projectionMatrixInverse),ee.isPerspectiveCamera&&(ee.fov=Rh*2*Math.atan(1/ee.projectionMatrix.elements[5]),ee.zoom=1)}this.getCamera=function(){return H},this.getFoveation=function(){if(!(d===null&&p===null))return l},this.setFoveation=function(ee){l=ee,d!==null&&(d.fixedFoveation=ee),p!==null&&p.fixedFoveation!==void 0&&(p.fixedFoveation=ee)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(H)},this.getCameraTexture=function(ee){return g[ee]};let se=null;function de(ee,me){if(h=me.getViewerPose(c||o),f=me,h!==null){let _e=h.views;p!==null&&(e.setRenderTargetFramebuffer(S,p.framebuffer),e.setRenderTarget(S));let Te=!1;_e.length!==H.cameras.length&&(H.cameras.length=0,Te=!0);for(let Ve=0;Ve<_e.length;Ve++){let ft=_e[Ve],ut=null;if(p!==null)ut=p.getViewport(ft);else{let nn=u.getViewSubImage(d,ft);ut=nn.viewport,Ve===0&&(e.setRenderTargetTextures(S,nn.colorTexture,nn.depthStencilTexture),e.setRenderTarget(S))}let nt=z[Ve];nt===void 0&&(nt=new qn,nt.layers.enable(Ve),nt.viewport=new xt,z[Ve]=nt),nt.matrix.fromArray(ft.transform.matrix),nt.matrix.decompose(nt.position,nt.quaternion,nt.scale),nt.projectionMatrix.fromArray(ft.projectionMatrix),nt.projectionMatrixInverse.copy(nt.projectionMatrix).invert(),nt.viewport.set(ut.x,ut.y,ut.width,ut.height),Ve===0&&(H.matrix.copy(nt.matrix),H.matrix.decompose(H.position,H.quaternion,H.scale)),Te===!0&&H.cameras.push(nt)}let we=s.enabledFeatures;if(we&&we.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&y){u=n.getBinding();let Ve=u.getDepthInformation(_e[0]);Ve&&Ve.isValid&&Ve.texture&&m.init(Ve,s.renderState)}if(we&&we.includes("camera-access")&&y){e.state.unbindTexture(),u=n.getBinding();for(let Ve=0;Ve<_e.length;Ve++){let ft=_e[Ve].camera;if(ft){let ut=g[ft];ut||(ut=new Tl,g[ft]=ut);let nt=u.getCameraImage(ft);ut.sourceTexture=nt}}}}for(let _e=0;_e<R.length;_e++){let Te=E[_e],we=R[_e];Te!==null&&we!==void 0&&we.update(Te,me,c||o)}se&&se(ee,me),me.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:me}),f=null}let ue=new tb;ue.setAnimationLoop(de),this.setAnimationLoop=function(ee){se=ee},this.dispose=function(){}}},aP=new He,ub=new et;ub.set(-1,0,0,0,1,0,0,0,1);function lP(i,e){function t(m,g){m.matrixAutoUpdate===!0&&m.updateMatrix(),g.value.copy(m.matrix)}function n(m,g){g.color.getRGB(m.fogColor.value,xm(i)),g.isFog?(m.fogNear.value=g.near,m.fogFar.value=g.far):g.isFogExp2&&(m.fogDensity.value=g.density)}function s(m,g,b,C,S){g.isNodeMaterial?g.uniformsNeedUpdate=!1:g.isMeshBasicMaterial?r(m,g):g.isMeshLambertMaterial?(r(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshToonMaterial?(r(m,g),u(m,g)):g.isMeshPhongMaterial?(r(m,g),h(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshStandardMaterial?(r(m,g),d(m,g),g.isMeshPhysicalMaterial&&p(m,g,S)):g.isMeshMatcapMaterial?(r(m,g),f(m,g)):g.isMeshDepthMaterial?r(m,g):g.isMeshDistanceMaterial?(r(m,g),y(m,g)):g.isMeshNormalMaterial?r(m,g):g.isLineBasicMaterial?(o(m,g),g.isLineDashedMaterial&&a(m,g)):g.isPointsMaterial?l(m,g,b,C):g.isSpriteMaterial?c(m,g):g.isShadowMaterial?(m.color.value.copy(g.color),m.opacity.value=g.opacity):g.isShaderMaterial&&(g.uniformsNeedUpdate=!1)}function r(m,g){m.opacity.value=g.opacity,g.color&&m.diffuse.value.copy(g.color),g.emissive&&m.emissive.value.copy(g.emissive).multiplyScalar(g.emissiveIntensity),g.map&&(m.map.value=g.map,t(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,t(g.alphaMap,m.alphaMapTransform)),g.bumpMap&&(m.bumpMap.value=g.bumpMap,t(g.bumpMap,m.bumpMapTransform),m.bumpScale.value=g.bumpScale,g.side===ai&&(m.bumpScale.value*=-1)),g.normalMap&&(m.normalMap.value=g.normalMap,t(g.normalMap,m.normalMapTransform),m.normalScale.value.copy(g.normalScale),g.side===ai&&m.normalScale.value.negate()),g.displacementMap&&(m.displacementMap.value=g.displacementMap,t(g.displacementMap,m.displacementMapTransform),m.displacementScale.value=g.displacementScale,m.displacementBias.value=g.displacementBias),g.emissiveMap&&(m.emissiveMap.value=g.emissiveMap,t(g.emissiveMap,m.emissiveMapTransform)),g.specularMap&&(m.specularMap.value=g.specularMap,t(g.specularMap,m.specularMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest);let b=e.get(g),C=b.envMap,S=b.envMapRotation;C&&(m.envMap.value=C,m.envMapRotation.value.setFromMatrix4(aP.makeRotationFromEuler(S)).transpose(),C.isCubeTexture&&C.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(ub),m.reflectivity.value=g.reflectivity,m.ior.value=g.ior,m.refractionRatio.value=g.refractionRatio),g.lightMap&&(m.lightMap.value=g.lightMap,m.lightMapIntensity.value=g.lightMapIntensity,t(g.lightMap,m.lightMapTransform)),g.aoMap&&(m.aoMap.value=g.aoMap,m.aoMapIntensity.value=g.aoMapIntensity,t(g.aoMap,m.aoMapTransform))}function o(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,g.map&&(m.map.value=g.map,t(g.map,m.mapTransform))}function a(m,g){m.dashSize.value=g.dashSize,m.totalSize.value=g.dashSize+g.gapSize,m.scale.value=g.scale}function l(m,g,b,C){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.size.value=g.size*b,m.scale.value=C*.5,g.map&&(m.map.value=g.map,t(g.map,m.uvTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,t(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function c(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.rotation.value=g.rotation,g.map&&(m.map.value=g.map,t(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,t(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function h(m,g){m.specular.value.copy(g.specular),m.shininess.value=Math.max(g.shininess,1e-4)}function u(m,g){g.gradientMap&&(m.gradientMap.value=g.gradientMap)}function d(m,g){m.metalness.value=g.metalness,g.metalnessMap&&(m.metalnessMap.value=g.metalnessMap,t(g.metalnessMap,m.metalnessMapTransform)),m.roughness.value=g.roughness,g.roughnessMap&&(m.roughnessMap.value=g.roughnessMap,t(g.roughnessMap,m.roughnessMapTransform)),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)}function p(m,g,b){m.ior.value=g.ior,g.diffuseRoughness>0&&(m.diffuseRoughness.value=g.diffuseRoughness,g.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=g.diffuseRoughnessMap,t(g.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),g.sheen>0&&(m.sheenColor.value.copy(g.sheenColor).multiplyScalar(g.sheen),m.sheenRoughness.value=g.sheenRoughness,g.sheenColorMap&&(m.sheenColorMap.value=g.sheenColorMap,t(g.sheenColorMap,m.sheenColorMapTransform)),g.sheenRoughnessMap&&(m.sheenRoughnessMap.value=g.sheenRoughnessMap,t(g.sheenRoughnessMap,m.sheenRoughnessMapTransform))),g.clearcoat>0&&(m.clearcoat.value=g.clearcoat,m.clearcoatRoughness.value=g.clearcoatRoughness,g.clearcoatMap&&(m.clearcoatMap.value=g.clearcoatMap,t(g.clearcoatMap,m.clearcoatMapTransform)),g.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=g.clearcoatRoughnessMap,t(g.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),g.clearcoatNormalMap&&(m.clearcoatNormalMap.value=g.clearcoatNormalMap,t(g.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(g.clearcoatNormalScale),g.side===ai&&m.clearcoatNormalScale.value.negate())),g.dispersion>0&&(m.dispersion.value=g.dispersion),g.retroreflectivity>0&&(m.retroreflectivity.value=g.retroreflectivity),g.iridescence>0&&(m.iridescence.value=g.iridescence,m.iridescenceIOR.value=g.iridescenceIOR,m.iridescenceThicknessMinimum.value=g.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=g.iridescenceThicknessMaximum,g.iridescenceMap&&(m.iridescenceMap.value=g.iridescenceMap,t(g.iridescenceMap,m.iridescenceMapTransform)),g.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=g.iridescenceThicknessMap,t(g.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),g.transmission>0&&(m.transmission.value=g.transmission,m.transmissionSamplerMap.value=b.texture,m.transmissionSamplerSize.value.set(b.width,b.height),g.transmissionMap&&(m.transmissionMap.value=g.transmissionMap,t(g.transmissionMap,m.transmissionMapTransform)),m.thickness.value=g.thickness,g.thicknessMap&&(m.thicknessMap.value=g.thicknessMap,t(g.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=g.attenuationDistance,m.attenuationColor.value.copy(g.attenuationColor)),g.anisotropy>0&&(m.anisotropyVector.value.set(g.anisotropy*Math.cos(g.anisotropyRotation),g.anisotropy*Math.sin(g.anisotropyRotation)),g.anisotropyMap&&(m.anisotropyMap.value=g.anisotropyMap,t(g.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=g.specularIntensity,m.specularColor.value.copy(g.specularColor),g.specularColorMap&&(m.specularColorMap.value=g.specularColorMap,t(g.specularColorMap,m.specularColorMapTransform)),g.specularIntensityMap&&(m.specularIntensityMap.value=g.specularIntensityMap,t(g.specularIntensityMap,m.specularIntensityMapTransform))}function f(m,g){g.matcap&&(m.matcap.value=g.matcap)}function y(m,g){let b=e.get(g).light;m.referencePosition.value.setFromMatrixPosition(b.matrixWorld),m.nearDistance.value=b.shadow.camera.near,m.farDistance.value=b.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function cP(i,e,t,n){let s={},r={};function o(b,C){let S=C.program;n.uniformBlockBinding(b,S,s[b.id])}function a(b,C){let S=s[b.id];S===void 0&&(f(b),S=l(b),s[b.id]=S,b.addEventListener("dispose",m));let R=C.program;n.updateUBOMapping(b,R);let E=e.render.frame;r[b.id]!==E&&(c(b),r[b.id]=E)}function l(b){let C=i.createBuffer(),S=b.__size,R=b.usage;return i.bindBuffer(i.UNIFORM_BUFFER,C),i.bufferData(i.UNIFORM_BUFFER,S,R),i.bindBuffer(i.UNIFORM_BUFFER,null),C}function c(b){let C=s[b.id],S=b.uniforms,R=b.__cache;i.bindBuffer(i.UNIFORM_BUFFER,C);for(let E=0,_=S.length;E<_;E++){let A=S[E];if(Array.isArray(A))for(let B=0,N=A.length;B<N;B++)h(A[B],E,B,R);else h(A,E,0,R)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(b,C,S,R){if(d(b,C,S,R)===!0){let E=b.__offset,_=b.value;if(Array.isArray(_)){let A=0;for(let B=0;B<_.length;B++){let N=_[B],I=y(N,!0);u(N,b.__data,A),A+=I.storage/Float32Array.BYTES_PER_ELEMENT}}else u(_,b.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,E,b.__data)}}function u(b,C,S){typeof b=="number"||typeof b=="boolean"?C[S]=b:b.isMatrix3?(C[S]=b.elements[0],C[S+1]=b.elements[1],C[S+2]=b.elements[2],C[S+3]=0,C[S+4]=b.elements[3],C[S+5]=b.elements[4],C[S+6]=b.elements[5],C[S+7]=0,C[S+8]=b.elements[6],C[S+9]=b.elements[7],C[S+10]=b.elements[8],C[S+11]=0):ArrayBuffer.isView(b)?C.set(b.subarray(0,C.length-S),S):b.toArray(C,S)}function d(b,C,S,R){let E=b.value,_=C+"_"+S;if(Array.isArray(E)){R[_]===void 0&&(R[_]=[]);let A=R[_],B=!1;for(let N=0;N<E.length;N++)p(E[N],A,N)===!0&&(B=!0);return B}return p(E,R,_)}function p(b,C,S){if(C[S]===void 0)return typeof b=="number"||typeof b=="boolean"?C[S]=b:ArrayBuffer.isView(b)?C[S]=b.slice():C[S]=b.clone(),!0;{let R=C[S];if(typeof b=="number"||typeof b=="boolean"){if(R!==b)return C[S]=b,!0}else{if(ArrayBuffer.isView(b))return!0;if(R.equals(b)===!1)return R.copy(b),!0}}return!1}function f(b){let C=b.uniforms,S=0,R=16;for(let _=0,A=C.length;_<A;_++){let B=Array.isArray(C[_])?C[_]:[C[_]];for(let N=0,I=B.length;N<I;N++){let z=B[N],H=Array.isArray(z.value)?z.value:[z.value],D=Array.isArray(C[_])||Array.isArray(z.value),W=S;for(let G=0,ce=H.length;G<ce;G++){let J=H[G],Q=y(J,D),se=S%R,de=se%Q.boundary,ue=se+de;S+=de,ue!==0&&R-ue<Q.storage&&(S+=R-ue),G===0&&(W=S),S+=Q.storage}let Y=z.type==="int"?Int32Array:z.type==="uint"?Uint32Array:Float32Array;z.__data=new Y((S-W)/Float32Array.BYTES_PER_ELEMENT),z.__offset=W}}let E=S%R;return E>0&&(S+=R-E),b.__size=S,b.__cache={},this}function y(b,C){let S={boundary:0,storage:0};return typeof b=="number"||typeof b=="boolean"?(S.boundary=4,S.storage=4):b.isVector2?(S.boundary=8,S.storage=8):b.isVector3||b.isColor?(S.boundary=16,S.storage=12):b.isVector4?(S.boundary=16,S.storage=16):b.isMatrix3?(S.boundary=16,S.storage=48):b.isMatrix4?(S.boundary=16,S.storage=64):b.isTexture?Xe("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(b)?(S.boundary=16,S.storage=b.byteLength):Xe("WebGLRenderer: Unsupported uniform value type.",b),C===!0&&(S.boundary=16,S.storage=Math.ceil(S.storage/16)*16),S}function m(b){let C=b.target;C.removeEventListener("dispose",m),i.deleteBuffer(s[C.id]),delete s[C.id],delete r[C.id]}function g(){for(let b in s)i.deleteBuffer(s[b]);s={},r={}}return{bind:o,update:a,dispose:g}}var hP=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),gs=null;function uP(){return gs===null&&(gs=new fr(hP,16,16,xr,Qi),gs.name="DFG_LUT",gs.minFilter=vn,gs.magFilter=vn,gs.wrapS=us,gs.wrapT=us,gs.generateMipmaps=!1,gs.needsUpdate=!0),gs}var zu=class{constructor(e={}){let{canvas:t=wy(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:p=li}=e;this.isWebGLRenderer=!0;let f;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");f=n.getContextAttributes().alpha}else f=o;let y=p,m=new Set([ru,su,iu]),g=new Set([li,Ti,pa,jr,eu,tu]),b=new Uint32Array(4),C=new Int32Array(4),S={textures:[],min:[],max:[],resolution:[]},R=null,E=null,_=[],A=[],B=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=ms,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let N=this,I=!1,z=null,H=null,D=null,W=null;this._outputColorSpace=an;let Y=0,G=0,ce=null,J=-1,Q=null,se=new xt,de=new xt,ue=null,ee=new lt(0),me=0,_e=t.width,Te=t.height,we=1,We=null,st=null,Ve=new xt(0,0,_e,Te),ft=new xt(0,0,_e,Te),ut=!1,nt=new Vs,nn=new Dh,Wt=!1,_n=!1,Bt=new He,Fn=new F,St=new xt,Cn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},cn=!1;function yn(){return ce===null?we:1}let U=n;function Pe(M,O){return t.getContext(M,O)}let Ye,rt,Me,Vt,ze,$e,T,x,q,he,oe,ve,ye,te,ie,fe,k,re,ne,Se,ge,xe,Ge;try{let M={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in t&&t.setAttribute("data-engine",`three.js r${"187"}`),t.addEventListener("webglcontextlost",Ue,!1),t.addEventListener("webglcontextrestored",Je,!1),t.addEventListener("webglcontextcreationerror",Ce,!1),U===null){let O="webgl2";if(U=Pe(O,M),U===null)throw Pe(O)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}je()}catch(M){throw t.removeEventListener("webglcontextlost",Ue,!1),t.removeEventListener("webglcontextrestored",Je,!1),t.removeEventListener("webglcontextcreationerror",Ce,!1),Ze("WebGLRenderer: "+M.message),M}function je(){Ye=new wT(U),Ye.init(),ge=new sP(U,Ye),rt=new uT(U,Ye,e,ge),Me=new nP(U,Ye),rt.reversedDepthBuffer&&d&&Me.buffers.depth.setReversed(!0),H=U.createFramebuffer(),D=U.createFramebuffer(),W=U.createFramebuffer(),Vt=new AT(U),ze=new GC,$e=new iP(U,Ye,Me,ze,rt,ge,Vt),T=new xT(N),x=new T1(U),xe=new cT(U,x),q=new MT(U,x,Vt,xe),he=new TT(U,q,x,xe,Vt),re=new ET(U,rt,$e),ie=new dT(ze),oe=new VC(N,T,Ye,rt,xe,ie),ve=new lP(N,ze),ye=new WC,te=new jC(Ye),k=new lT(N,T,Me,he,f,l),fe=new tP(N,he,rt),Ge=new cP(U,Vt,rt,Me),ne=new hT(U,Ye,Vt),Se=new ST(U,Ye,Vt),Vt.programs=oe.programs,N.capabilities=rt,N.extensions=Ye,N.properties=ze,N.renderLists=ye,N.shadowMap=fe,N.state=Me,N.info=Vt}y!==li&&(B=new PT(y,t.width,t.height,a,s,r));let le=new Nm(N,U);this.xr=le,this.getContext=function(){return U},this.getContextAttributes=function(){return U.getContextAttributes()},this.forceContextLoss=function(){let M=Ye.get("WEBGL_lose_context");M&&M.loseContext()},this.forceContextRestore=function(){let M=Ye.get("WEBGL_lose_context");M&&M.restoreContext()},this.getPixelRatio=function(){return we},this.setPixelRatio=function(M){M!==void 0&&(we=M,this.setSize(_e,Te,!1))},this.getSize=function(M){return M.set(_e,Te)},this.setSize=function(M,O,Z=!0){if(le.isPresenting){Xe("WebGLRenderer: Can't change size while VR device is presenting.");return}_e=M,Te=O,t.width=Math.floor(M*we),t.height=Math.floor(O*we),Z===!0&&(t.style.width=M+"px",t.style.height=O+"px"),B!==null&&B.setSize(t.width,t.height),this.setViewport(0,0,M,O)},this.getDrawingBufferSize=function(M){return M.set(_e*we,Te*we).floor()},this.setDrawingBufferSize=function(M,O,Z){_e=M,Te=O,we=Z,t.width=Math.floor(M*Z),t.height=Math.floor(O*Z),this.setViewport(0,0,M,O)},this.setEffects=function(M){if(y===li){Ze("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(M){for(let O=0;O<M.length;O++)if(M[O].isOutputPass===!0){Xe("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}B.setEffects(M||[])},this.getCurrentViewport=function(M){return M.copy(se)},this.getViewport=function(M){return M.copy(Ve)},this.setViewport=function(M,O,Z,$){M.isVector4?Ve.set(M.x,M.y,M.z,M.w):Ve.set(M,O,Z,$),Me.viewport(se.copy(Ve).multiplyScalar(yn()).round())},this.getScissor=function(M){return M.copy(ft)},this.setScissor=function(M,O,Z,$){M.isVector4?ft.set(M.x,M.y,M.z,M.w):ft.set(M,O,Z,$),Me.scissor(de.copy(ft).multiplyScalar(yn()).round())},this.getScissorTest=function(){return ut},this.setScissorTest=function(M){Me.setScissorTest(ut=M)},this.setOpaqueSort=function(M){We=M},this.setTransparentSort=function(M){st=M},this.getClearColor=function(M){return M.copy(k.getClearColor())},this.setClearColor=function(){k.setClearColor(...arguments)},this.getClearAlpha=function(){return k.getClearAlpha()},this.setClearAlpha=function(){k.setClearAlpha(...arguments)},this.clear=function(M=!0,O=!0,Z=!0){let $=0;if(M){let K=!1;if(ce!==null){let Ae=ce.texture.format;K=m.has(Ae)}if(K){let Ae=ce.texture.type,Re=g.has(Ae),Ee=k.getClearColor(),Ie=k.getClearAlpha(),Be=Ee.r,Qe=Ee.g,gt=Ee.b;Re?(b[0]=Be,b[1]=Qe,b[2]=gt,b[3]=Ie,U.clearBufferuiv(U.COLOR,0,b)):(C[0]=Be,C[1]=Qe,C[2]=gt,C[3]=Ie,U.clearBufferiv(U.COLOR,0,C))}else $|=U.COLOR_BUFFER_BIT}O&&($|=U.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),Z&&($|=U.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),$!==0&&U.clear($)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(M){M.setRenderer(this),z=M},this.dispose=function(){t.removeEventListener("webglcontextlost",Ue,!1),t.removeEventListener("webglcontextrestored",Je,!1),t.removeEventListener("webglcontextcreationerror",Ce,!1),k.dispose(),ye.dispose(),te.dispose(),$e.dispose(),ze.dispose(),T.dispose(),he.dispose(),q.dispose(),xe.dispose(),Ge.dispose(),oe.dispose(),le.dispose(),le.removeEventListener("sessionstart",zc),le.removeEventListener("sessionend",is),Ts.stop()};function Ue(M){M.preventDefault(),vl("WebGLRenderer: Context Lost."),I=!0}function Je(){vl("WebGLRenderer: Context Restored."),I=!1;let M=Vt.autoReset,O=fe.enabled,Z=fe.autoUpdate,$=fe.needsUpdate,K=fe.type;je(),Vt.autoReset=M,fe.enabled=O,fe.autoUpdate=Z,fe.needsUpdate=$,fe.type=K}function Ce(M){Ze("WebGLRenderer: A WebGL context could not be created. Reason: ",M.statusMessage)}function at(M){let O=M.target;O.removeEventListener("dispose",at),Kt(O)}function Kt(M){Qn(M),ze.remove(M)}function Qn(M){let O=ze.get(M).programs;O!==void 0&&(O.forEach(function(Z){oe.releaseProgram(Z)}),M.isShaderMaterial&&oe.releaseShaderCache(M))}this.renderBufferDirect=function(M,O,Z,$,K,Ae){O===null&&(O=Cn);let Re=K.isMesh&&K.matrixWorld.determinantAffine()<0,Ee=Ka(M,O,Z,$,K);Me.setMaterial($,Re);let Ie=Z.index,Be=1;if($.wireframe===!0){if(Ie=q.getWireframeAttribute(Z),Ie===void 0)return;Be=2}let Qe=Z.drawRange,gt=Z.attributes.position,Oe=Qe.start*Be,vt=(Qe.start+Qe.count)*Be;Ae!==null&&(Oe=Math.max(Oe,Ae.start*Be),vt=Math.min(vt,(Ae.start+Ae.count)*Be)),Ie!==null?(Oe=Math.max(Oe,0),vt=Math.min(vt,Ie.count)):gt!=null&&(Oe=Math.max(Oe,0),vt=Math.min(vt,gt.count));let on=vt-Oe;if(on<0||on===1/0)return;xe.setup(K,$,Ee,Z,Ie);let kt,Ut=ne;if(Ie!==null&&(kt=x.get(Ie),Ut=Se,Ut.setIndex(kt)),K.isMesh)$.wireframe===!0?(Me.setLineWidth($.wireframeLinewidth*yn()),Ut.setMode(U.LINES)):Ut.setMode(U.TRIANGLES);else if(K.isLine){let Pn=$.linewidth;Pn===void 0&&(Pn=1),Me.setLineWidth(Pn*yn()),K.isLineSegments?Ut.setMode(U.LINES):K.isLineLoop?Ut.setMode(U.LINE_LOOP):Ut.setMode(U.LINE_STRIP)}else K.isPoints?Ut.setMode(U.POINTS):K.isSprite&&Ut.setMode(U.TRIANGLES);if(K.isBatchedMesh)if(Ye.get("WEBGL_multi_draw"))Ut.renderMultiDraw(K._multiDrawStarts,K._multiDrawCounts,K._multiDrawCount);else{let Pn=K._multiDrawStarts,Fe=K._multiDrawCounts,bn=K._multiDrawCount,yt=Ie?x.get(Ie).bytesPerElement:1,Ps=ze.get($).currentProgram.getUniforms();for(let xn=0;xn<bn;xn++)Ps.setValue(U,"_gl_DrawID",xn),Ut.render(Pn[xn]/yt,Fe[xn])}else if(K.isInstancedMesh)Ut.renderInstances(Oe,on,K.count);else if(Z.isInstancedBufferGeometry){let Pn=Z._maxInstanceCount!==void 0?Z._maxInstanceCount:1/0,Fe=Math.min(Z.instanceCount,Pn);Ut.renderInstances(Oe,on,Fe)}else Ut.render(Oe,on)};function Xa(M,O,Z,$){z!==null&&M.isNodeMaterial&&z.setObject($,M),Wt===!0&&ie.setState(M,Z,!1),M.transparent===!0&&M.side===En&&M.forceSinglePass===!1?(M.side=ai,M.needsUpdate=!0,ss(M,O,$),M.side=br,M.needsUpdate=!0,ss(M,O,$),M.side=En):ss(M,O,$)}this.compile=function(M,O,Z=null){Z===null&&(Z=M),z!==null&&z.renderStart(M,O,Z),E=te.get(Z),E.init(O),A.push(E),Z.traverseVisible(function(K){K.isLight&&K.layers.test(O.layers)&&(E.pushLight(K),K.castShadow&&E.pushShadow(K))}),M!==Z&&M.traverseVisible(function(K){K.isLight&&K.layers.test(O.layers)&&(E.pushLight(K),K.castShadow&&E.pushShadow(K))}),E.setupLights(),z!==null&&z.updateLights(E.state.lightsArray),_n=this.localClippingEnabled,Wt=ie.init(this.clippingPlanes,_n),Wt===!0&&ie.setGlobalState(this.clippingPlanes,O),z!==null&&fe.render(E.state.shadowsArray,Z,O);let $=new Set;return M.traverse(function(K){if(!(K.isMesh||K.isPoints||K.isLine||K.isSprite))return;let Ae=K.material;if(Ae)if(Array.isArray(Ae))for(let Re=0;Re<Ae.length;Re++){let Ee=Ae[Re];Xa(Ee,Z,O,K),$.add(Ee)}else Xa(Ae,Z,O,K),$.add(Ae)}),E=A.pop(),z!==null&&z.renderEnd(),$},this.compileAsync=function(M,O,Z=null){let $=this.compile(M,O,Z);return new Promise(K=>{function Ae(){if($.forEach(function(Re){let Ie=ze.get(Re).currentProgram;(Ie===void 0||Ie.isReady())&&$.delete(Re)}),$.size===0){K(M);return}setTimeout(Ae,10)}Ye.get("KHR_parallel_shader_compile")!==null?Ae():setTimeout(Ae,10)})};let xo=null;function af(M){xo&&xo(M)}function zc(){Ts.stop()}function is(){Ts.start()}let Ts=new tb;Ts.setAnimationLoop(af),typeof self<"u"&&Ts.setContext(self),this.setAnimationLoop=function(M){xo=M,le.setAnimationLoop(M),M===null?Ts.stop():Ts.start()},le.addEventListener("sessionstart",zc),le.addEventListener("sessionend",is),this.render=function(M,O){if(O!==void 0&&O.isCamera!==!0){Ze("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(I===!0)return;z!==null&&z.renderStart(M,O);let Z=le.enabled===!0&&le.isPresenting===!0,$=B!==null&&(ce===null||Z)&&B.begin(N,ce);if(M.matrixWorldAutoUpdate===!0&&M.updateMatrixWorld(),O.parent===null&&O.matrixWorldAutoUpdate===!0&&O.updateMatrixWorld(),le.enabled===!0&&le.isPresenting===!0&&(B===null||B.isCompositing()===!1)&&(le.cameraAutoUpdate===!0&&le.updateCamera(O),O=le.getCamera()),M.isScene===!0&&M.onBeforeRender(N,M,O,ce),E=te.get(M,A.length),E.init(O),E.state.textureUnits=$e.getTextureUnits(),A.push(E),Bt.multiplyMatrices(O.projectionMatrix,O.matrixWorldInverse),O.isArrayCamera?nn.setFromArrayCamera(O):nt.setFromProjectionMatrix(Bt,ki,O.reversedDepth),_n=this.localClippingEnabled,Wt=ie.init(this.clippingPlanes,_n),R=ye.get(M,_.length),R.init(),_.push(R),this.info.render.frame++,le.enabled===!0&&le.isPresenting===!0){let Re=N.xr.getDepthSensingMesh();Re!==null&&Cs(Re,O,-1/0,N.sortObjects)}Cs(M,O,0,N.sortObjects),R.finish(),z!==null&&z.updateLights(E.state.lightsArray),N.sortObjects===!0&&R.sort(We,st),cn=le.enabled===!1||le.isPresenting===!1||le.hasDepthSensing()===!1,cn&&k.addToRenderList(R,M),this.info.autoReset===!0&&this.info.reset(),Wt===!0&&ie.beginShadows();let K=E.state.shadowsArray;if(fe.render(K,M,O),Wt===!0&&ie.endShadows(),($&&B.hasRenderPass())===!1){let Re=R.opaque,Ee=R.transmissive;if(E.setupLights(),O.isArrayCamera){let Ie=O.cameras;if(Ee.length>0)for(let Be=0,Qe=Ie.length;Be<Qe;Be++){let gt=Ie[Be];Gi(Re,Ee,M,gt)}cn&&k.render(M);for(let Be=0,Qe=Ie.length;Be<Qe;Be++){let gt=Ie[Be];$a(R,M,gt,gt.viewport)}}else Ee.length>0&&Gi(Re,Ee,M,O),cn&&k.render(M),$a(R,M,O)}ce!==null&&G===0&&($e.updateMultisampleRenderTarget(ce),$e.updateRenderTargetMipmap(ce)),$&&B.end(N),M.isScene===!0&&M.onAfterRender(N,M,O),xe.resetDefaultState(),J=-1,Q=null,A.pop(),A.length>0?(E=A[A.length-1],$e.setTextureUnits(E.state.textureUnits),Wt===!0&&ie.setGlobalState(N.clippingPlanes,E.state.camera)):E=null,_.pop(),_.length>0?R=_[_.length-1]:R=null,z!==null&&z.renderEnd()};function Cs(M,O,Z,$){if(M.visible===!1)return;if(M.layers.test(O.layers)){if(M.isGroup)Z=M.renderOrder;else if(M.isLOD)M.autoUpdate===!0&&M.update(O);else if(M.isLight)E.pushLight(M),M.castShadow&&E.pushShadow(M);else if(M.isSprite){let Re=O.isArrayCamera?nn:nt;if(!M.frustumCulled||M.intersectsFrustum(Re)){$&&St.setFromMatrixPosition(M.matrixWorld).applyMatrix4(Bt);let Ee=he.update(M),Ie=M.material;Ie.visible&&R.push(M,Ee,Ie,Z,St.z,null,O)}}else if(M.isMesh||M.isLine||M.isPoints){let Re=O.isArrayCamera?nn:nt;if(!M.frustumCulled||M.intersectsFrustum(Re)){let Ee=he.update(M),Ie=M.material;if($&&(M.boundingSphere!==void 0?(M.boundingSphere===null&&M.computeBoundingSphere(),St.copy(M.boundingSphere.center)):(Ee.boundingSphere===null&&Ee.computeBoundingSphere(),St.copy(Ee.boundingSphere.center)),St.applyMatrix4(M.matrixWorld).applyMatrix4(Bt)),Array.isArray(Ie)){let Be=Ee.groups;for(let Qe=0,gt=Be.length;Qe<gt;Qe++){let Oe=Be[Qe],vt=Ie[Oe.materialIndex];vt&&vt.visible&&R.push(M,Ee,vt,Z,St.z,Oe,O)}}else Ie.visible&&R.push(M,Ee,Ie,Z,St.z,null,O)}}}let Ae=M.children;for(let Re=0,Ee=Ae.length;Re<Ee;Re++)Cs(Ae[Re],O,Z,$)}function $a(M,O,Z,$){let{opaque:K,transmissive:Ae,transparent:Re}=M;E.setupLightsView(Z),Wt===!0&&ie.setGlobalState(N.clippingPlanes,Z),$&&Me.viewport(se.copy($)),K.length>0&&hn(K,O,Z),Ae.length>0&&hn(Ae,O,Z),Re.length>0&&hn(Re,O,Z),Me.buffers.depth.setTest(!0),Me.buffers.depth.setMask(!0),Me.buffers.color.setMask(!0),Me.setPolygonOffset(!1)}function Gi(M,O,Z,$){if((Z.isScene===!0?Z.overrideMaterial:null)!==null)return;if(E.state.transmissionRenderTarget[$.id]===void 0){let Oe=Ye.has("EXT_color_buffer_half_float")||Ye.has("EXT_color_buffer_float");E.state.transmissionRenderTarget[$.id]=new Xn(1,1,{generateMipmaps:!0,type:Oe?Qi:li,minFilter:Zi,samples:Math.max(4,rt.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:bt.workingColorSpace})}let Ae=E.state.transmissionRenderTarget[$.id],Re=$.viewport||se;Ae.setSize(Re.z*N.transmissionResolutionScale,Re.w*N.transmissionResolutionScale);let Ee=N.getRenderTarget(),Ie=N.getActiveCubeFace(),Be=N.getActiveMipmapLevel();N.setRenderTarget(Ae),N.getClearColor(ee),me=N.getClearAlpha(),me<1&&N.setClearColor(16777215,.5),N.clear(),cn&&k.render(Z);let Qe=N.toneMapping;N.toneMapping=ms;let gt=$.viewport;if($.viewport!==void 0&&($.viewport=void 0),E.setupLightsView($),Wt===!0&&ie.setGlobalState(N.clippingPlanes,$),hn(M,Z,$),$e.updateMultisampleRenderTarget(Ae),$e.updateRenderTargetMipmap(Ae),Ye.has("WEBGL_multisampled_render_to_texture")===!1){let Oe=!1;for(let vt=0,on=O.length;vt<on;vt++){let kt=O[vt],{object:Ut,geometry:Pn,material:Fe,group:bn}=kt;if(Fe.side===En&&Ut.layers.test($.layers)){let yt=Fe.side;Fe.side=ai,Fe.needsUpdate=!0,mn(Ut,Z,$,Pn,Fe,bn),Fe.side=yt,Fe.needsUpdate=!0,Oe=!0}}Oe===!0&&($e.updateMultisampleRenderTarget(Ae),$e.updateRenderTargetMipmap(Ae))}N.setRenderTarget(Ee,Ie,Be),N.setClearColor(ee,me),gt!==void 0&&($.viewport=gt),N.toneMapping=Qe}function hn(M,O,Z){let $=O.isScene===!0?O.overrideMaterial:null;for(let K=0,Ae=M.length;K<Ae;K++){let Re=M[K],{object:Ee,geometry:Ie,group:Be}=Re,Qe=Re.material;Qe.allowOverride===!0&&$!==null&&(Qe=$),Ee.layers.test(Z.layers)&&mn(Ee,O,Z,Ie,Qe,Be)}}function mn(M,O,Z,$,K,Ae){z!==null&&K.isNodeMaterial&&z.setObject(M,K),M.onBeforeRender(N,O,Z,$,K,Ae),M.modelViewMatrix.multiplyMatrices(Z.matrixWorldInverse,M.matrixWorld),M.normalMatrix.getNormalMatrix(M.modelViewMatrix),K.onBeforeRender(N,O,Z,$,M,Ae),K.transparent===!0&&K.side===En&&K.forceSinglePass===!1?(K.side=ai,K.needsUpdate=!0,N.renderBufferDirect(Z,O,$,K,M,Ae),K.side=br,K.needsUpdate=!0,N.renderBufferDirect(Z,O,$,K,M,Ae),K.side=En):N.renderBufferDirect(Z,O,$,K,M,Ae),M.onAfterRender(N,O,Z,$,K,Ae)}function gn(M){let O=0;for(let Z of M)Z.texture!==null&&O++;return O}function ss(M,O,Z){O.isScene!==!0&&(O=Cn);let $=ze.get(M),K=E.state.lights,Ae=E.state.shadowsArray,Re=K.state.version,Ee=oe.getParameters(M,K.state,Ae,O,Z,E.state.lightProbeGridArray),Ie=oe.getProgramCacheKey(Ee),Be=$.programs;$.environment=M.isMeshStandardMaterial||M.isMeshLambertMaterial||M.isMeshPhongMaterial?O.environment:null,$.fog=O.fog;let Qe=M.isMeshStandardMaterial||M.isMeshLambertMaterial&&!M.envMap||M.isMeshPhongMaterial&&!M.envMap;$.envMap=T.get(M.envMap||$.environment,Qe),$.envMapRotation=$.environment!==null&&M.envMap===null?O.environmentRotation:M.envMapRotation,Be===void 0&&(M.addEventListener("dispose",at),Be=new Map,$.programs=Be,$.programVariants=new Map);let gt=Be.get(Ie);if(gt!==void 0){if($.currentProgram===gt&&$.lightsStateVersion===Re)return Ya(M,Ee),gt}else Ee.uniforms=oe.getUniforms(M),z!==null&&M.isNodeMaterial&&z.build(M,Z,Ee),M.onBeforeCompile(Ee,N),gt=oe.acquireProgram(Ee,Ie),Be.set(Ie,gt),$.uniforms=Ee.uniforms;let Oe=$.uniforms;return(!M.isShaderMaterial&&!M.isRawShaderMaterial||M.clipping===!0)&&(Oe.clippingPlanes=ie.uniform),Ya(M,Ee),$.needsLights=ir(M),$.lightsStateVersion=Re,$.needsLights&&(Oe.ambientLightColor.value=K.state.ambient,Oe.lightProbe.value=K.state.probe,Oe.sunLights.value=K.state.sun,Oe.sunLightShadows.value=K.state.sunShadow,Oe.directionalLights.value=K.state.directional,Oe.directionalLightShadows.value=K.state.directionalShadow,Oe.spotLights.value=K.state.spot,Oe.spotLightShadows.value=K.state.spotShadow,Oe.rectAreaLights.value=K.state.rectArea,Oe.ltc_1.value=K.state.rectAreaLTC1,Oe.ltc_2.value=K.state.rectAreaLTC2,Oe.pointLights.value=K.state.point,Oe.pointLightShadows.value=K.state.pointShadow,Oe.hemisphereLights.value=K.state.hemi,Oe.sunShadowMatrix.value=K.state.sunShadowMatrix,Oe.sunShadowCascade.value=K.state.sunShadowCascade,Oe.directionalShadowMatrix.value=K.state.directionalShadowMatrix,Oe.spotLightMatrix.value=K.state.spotLightMatrix,Oe.spotLightMap.value=K.state.spotLightMap,Oe.pointShadowMatrix.value=K.state.pointShadowMatrix),$.numLightProbeGrids=gn(E.state.lightProbeGridArray),$.currentProgram=gt,$.uniformsList=null,gt}function yi(M,O,Z,$,K){let Ae=ze.get(M),Re=Ae.currentProgram.id+","+$+","+K,Ee=Ae.programVariants.get(Re);return Ee===void 0?(Ee=ss(M,O,Z),Ae.programVariants.set(Re,Ee)):(Ae.currentProgram=Ee,Ae.uniformsList=null,Ae.outputColorSpace=$,Ae.toneMapping=K),Ee}function nr(M){if(M.uniformsList===null){let O=M.currentProgram.getUniforms();M.uniformsList=fa.seqWithValue(O.seq,M.uniforms)}return M.uniformsList}function Ya(M,O){let Z=ze.get(M);Z.outputColorSpace=O.outputColorSpace,Z.batching=O.batching,Z.batchingColor=O.batchingColor,Z.instancing=O.instancing,Z.instancingColor=O.instancingColor,Z.instancingMorph=O.instancingMorph,Z.skinning=O.skinning,Z.morphTargets=O.morphTargets,Z.morphNormals=O.morphNormals,Z.morphColors=O.morphColors,Z.morphTargetsCount=O.morphTargetsCount,Z.numClippingPlanes=O.numClippingPlanes,Z.numIntersection=O.numClipIntersection,Z.vertexAlphas=O.vertexAlphas,Z.vertexTangents=O.vertexTangents,Z.toneMapping=O.toneMapping}function Ka(M,O,Z,$,K){O.isScene!==!0&&(O=Cn),$e.resetTextureUnits();let Ae=O.fog,Re=$.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial?O.environment:null,Ee=ce===null?N.outputColorSpace:ce.isXRRenderTarget===!0?ce.texture.colorSpace:bt.workingColorSpace,Ie=$.isMeshStandardMaterial||$.isMeshLambertMaterial&&!$.envMap||$.isMeshPhongMaterial&&!$.envMap,Be=T.get($.envMap||Re,Ie),Qe=$.vertexColors===!0&&!!Z.attributes.color&&Z.attributes.color.itemSize===4,gt=!!Z.attributes.tangent&&(!!$.normalMap||$.anisotropy>0),Oe=!!Z.morphAttributes.position,vt=!!Z.morphAttributes.normal,on=!!Z.morphAttributes.color,kt=ms;$.toneMapped&&(ce===null||ce.isXRRenderTarget===!0)&&(kt=N.toneMapping);let Ut=Z.morphAttributes.position||Z.morphAttributes.normal||Z.morphAttributes.color,Pn=Ut!==void 0?Ut.length:0,Fe=ze.get($),bn=E.state.lights;if(Wt===!0&&(_n===!0||M!==Q)){let Ot=M===Q&&$.id===J;ie.setState($,M,Ot)}let yt=!1,Ps=!1;$.version===Fe.__version?Fe.needsLights&&Fe.lightsStateVersion!==bn.state.version||K.isBatchedMesh&&Fe.batching===!1||!K.isBatchedMesh&&Fe.batching===!0||K.isBatchedMesh&&Fe.batchingColor===!0&&K._colorsTexture===null||K.isBatchedMesh&&Fe.batchingColor===!1&&K._colorsTexture!==null||K.isInstancedMesh&&Fe.instancing===!1||!K.isInstancedMesh&&Fe.instancing===!0||K.isSkinnedMesh&&Fe.skinning===!1||!K.isSkinnedMesh&&Fe.skinning===!0||K.isInstancedMesh&&Fe.instancingColor===!0&&K.instanceColor===null||K.isInstancedMesh&&Fe.instancingColor===!1&&K.instanceColor!==null||K.isInstancedMesh&&Fe.instancingMorph===!0&&K.morphTexture===null||K.isInstancedMesh&&Fe.instancingMorph===!1&&K.morphTexture!==null||Fe.envMap!==Be||$.fog===!0&&Fe.fog!==Ae||Fe.numClippingPlanes!==void 0&&(Fe.numClippingPlanes!==ie.numPlanes||Fe.numIntersection!==ie.numIntersection)||Fe.vertexAlphas!==Qe||Fe.vertexTangents!==gt||Fe.morphTargets!==Oe||Fe.morphNormals!==vt||Fe.morphColors!==on||Fe.morphTargetsCount!==Pn||Fe.numLightProbeGrids!==gn(E.state.lightProbeGridArray)?yt=!0:(Fe.outputColorSpace!==Ee||Fe.toneMapping!==kt)&&(Ps=!0):(yt=!0,Fe.__version=$.version);let xn=Fe.currentProgram;(yt===!0||Ps===!0)&&(xn=Ps===!0?yi($,O,K,Ee,kt):ss($,O,K),z&&$.isNodeMaterial&&z.onUpdateProgram($,xn,Fe));let So=!1,rs=!1,Rs=!1,dt=xn.getUniforms(),un=Fe.uniforms;if(Me.useProgram(xn.program)&&(So=!0,rs=!0,Rs=!0),$.id!==J&&(J=$.id,rs=!0),So||Q!==M){Me.buffers.depth.getReversed()&&M.reversedDepth!==!0&&(M._reversedDepth=!0,M.updateProjectionMatrix()),dt.setValue(U,"projectionMatrix",M.projectionMatrix),dt.setValue(U,"viewMatrix",M.matrixWorldInverse);let wn=dt.map.cameraPosition;wn!==void 0&&wn.setValue(U,Fn.setFromMatrixPosition(M.matrixWorld)),rt.logarithmicDepthBuffer&&dt.setValue(U,"logDepthBufFC",2/(Math.log(M.far+1)/Math.LN2)),($.isMeshPhongMaterial||$.isMeshToonMaterial||$.isMeshLambertMaterial||$.isMeshBasicMaterial||$.isMeshStandardMaterial||$.isShaderMaterial)&&dt.setValue(U,"isOrthographic",M.isOrthographicCamera===!0),Q!==M&&(Q=M,rs=!0,Rs=!0)}if(Fe.needsLights&&(bn.state.sunShadowMap.length>0&&dt.setValue(U,"sunShadowMap",bn.state.sunShadowMap,$e),bn.state.directionalShadowMap.length>0&&dt.setValue(U,"directionalShadowMap",bn.state.directionalShadowMap,$e),bn.state.spotShadowMap.length>0&&dt.setValue(U,"spotShadowMap",bn.state.spotShadowMap,$e),bn.state.pointShadowMap.length>0&&dt.setValue(U,"pointShadowMap",bn.state.pointShadowMap,$e)),K.isSkinnedMesh){dt.setOptional(U,K,"bindMatrix"),dt.setOptional(U,K,"bindMatrixInverse");let Ot=K.skeleton;Ot&&(Ot.boneTexture===null&&Ot.computeBoneTexture(),dt.setValue(U,"boneTexture",Ot.boneTexture,$e))}K.isBatchedMesh&&(dt.setOptional(U,K,"batchingTexture"),dt.setValue(U,"batchingTexture",K._matricesTexture,$e),dt.setOptional(U,K,"batchingIdTexture"),dt.setValue(U,"batchingIdTexture",K._indirectTexture,$e),dt.setOptional(U,K,"batchingColorTexture"),K._colorsTexture!==null&&dt.setValue(U,"batchingColorTexture",K._colorsTexture,$e));let ei=Z.morphAttributes;if((ei.position!==void 0||ei.normal!==void 0||ei.color!==void 0)&&re.update(K,Z,xn),(rs||Fe.receiveShadow!==K.receiveShadow)&&(Fe.receiveShadow=K.receiveShadow,dt.setValue(U,"receiveShadow",K.receiveShadow)),($.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial)&&$.envMap===null&&O.environment!==null&&(un.envMapIntensity.value=O.environmentIntensity),un.dfgLUT!==void 0&&(un.dfgLUT.value=uP()),rs){if(dt.setValue(U,"toneMappingExposure",N.toneMappingExposure),Fe.needsLights&&wo(un,Rs),Ae&&$.fog===!0&&ve.refreshFogUniforms(un,Ae),ve.refreshMaterialUniforms(un,$,we,Te,E.state.transmissionRenderTarget[M.id]),Fe.needsLights&&Fe.numLightProbeGrids>0){let Ot=S,wn=0;for(let Yn of E.state.lightProbeGridArray)Yn.texture!==null&&(Ot.textures[wn]=Yn.texture,Ot.min[wn]=Yn.boundingBox.min,Ot.max[wn]=Yn.boundingBox.max,Ot.resolution[wn]=Yn.resolution,wn++);for(let Yn in Ot)Ot[Yn].length=wn;un.probesSH.value=Ot.textures,un.probesMin.value=Ot.min,un.probesMax.value=Ot.max,un.probesResolution.value=Ot.resolution}fa.upload(U,nr(Fe),un,$e)}if($.isShaderMaterial&&$.uniformsNeedUpdate===!0&&(fa.upload(U,nr(Fe),un,$e),$.uniformsNeedUpdate=!1),$.isSpriteMaterial&&dt.setValue(U,"center",K.center),dt.setValue(U,"modelViewMatrix",K.modelViewMatrix),dt.setValue(U,"normalMatrix",K.normalMatrix),dt.setValue(U,"modelMatrix",K.matrixWorld),$.uniformsGroups!==void 0){let Ot=$.uniformsGroups;for(let wn=0,Yn=Ot.length;wn<Yn;wn++){let Vc=Ot[wn];Ge.update(Vc,xn),Ge.bind(Vc,xn)}}return xn}function wo(M,O){M.ambientLightColor.needsUpdate=O,M.lightProbe.needsUpdate=O,M.sunLights.needsUpdate=O,M.sunLightShadows.needsUpdate=O,M.directionalLights.needsUpdate=O,M.directionalLightShadows.needsUpdate=O,M.pointLights.needsUpdate=O,M.pointLightShadows.needsUpdate=O,M.spotLights.needsUpdate=O,M.spotLightShadows.needsUpdate=O,M.rectAreaLights.needsUpdate=O,M.hemisphereLights.needsUpdate=O}function ir(M){return M.isMeshLambertMaterial||M.isMeshToonMaterial||M.isMeshPhongMaterial||M.isMeshStandardMaterial||M.isShadowMaterial||M.isShaderMaterial&&M.lights===!0}this.getActiveCubeFace=function(){return Y},this.getActiveMipmapLevel=function(){return G},this.getRenderTarget=function(){return ce},this.setRenderTargetTextures=function(M,O,Z){let $=ze.get(M);$.__autoAllocateDepthBuffer=M.resolveDepthBuffer===!1,$.__autoAllocateDepthBuffer===!1&&($.__useRenderToTexture=!1),ze.get(M.texture).__webglTexture=O,ze.get(M.depthTexture).__webglTexture=$.__autoAllocateDepthBuffer?void 0:Z,$.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(M,O){let Z=ze.get(M);Z.__webglFramebuffer=O,Z.__useDefaultFramebuffer=O===void 0},this.setRenderTarget=function(M,O=0,Z=0){ce=M,Y=O,G=Z;let $=null,K=!1,Ae=!1;if(M){let Ee=ze.get(M);if(Ee.__useDefaultFramebuffer!==void 0){Me.bindFramebuffer(U.FRAMEBUFFER,Ee.__webglFramebuffer),se.copy(M.viewport),de.copy(M.scissor),ue=M.scissorTest,Me.viewport(se),Me.scissor(de),Me.setScissorTest(ue),J=-1;return}else if(Ee.__webglFramebuffer===void 0)$e.setupRenderTarget(M);else if(Ee.__hasExternalTextures)$e.rebindTextures(M,ze.get(M.texture).__webglTexture,ze.get(M.depthTexture).__webglTexture);else if(M.depthBuffer){let Qe=M.depthTexture;if(Ee.__boundDepthTexture!==Qe){if(Qe!==null&&ze.has(Qe)&&(M.width!==Qe.image.width||M.height!==Qe.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");$e.setupDepthRenderbuffer(M)}}let Ie=M.texture;(Ie.isData3DTexture||Ie.isDataArrayTexture||Ie.isCompressedArrayTexture)&&(Ae=!0);let Be=ze.get(M).__webglFramebuffer;M.isWebGLCubeRenderTarget?(Array.isArray(Be[O])?$=Be[O][Z]:$=Be[O],K=!0):M.samples>0&&$e.useMultisampledRTT(M)===!1?$=ze.get(M).__webglMultisampledFramebuffer:Array.isArray(Be)?$=Be[Z]:$=Be,se.copy(M.viewport),de.copy(M.scissor),ue=M.scissorTest}else se.copy(Ve).multiplyScalar(we).floor(),de.copy(ft).multiplyScalar(we).floor(),ue=ut;if(Z!==0&&($=H),Me.bindFramebuffer(U.FRAMEBUFFER,$)&&Me.drawBuffers(M,$),Me.viewport(se),Me.scissor(de),Me.setScissorTest(ue),K){let Ee=ze.get(M.texture);U.framebufferTexture2D(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_CUBE_MAP_POSITIVE_X+O,Ee.__webglTexture,Z)}else if(Ae){let Ee=O;for(let Ie=0;Ie<M.textures.length;Ie++){let Be=ze.get(M.textures[Ie]);U.framebufferTextureLayer(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0+Ie,Be.__webglTexture,Z,Ee)}}else if(M!==null&&Z!==0){let Ee=ze.get(M.texture);U.framebufferTexture2D(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,Ee.__webglTexture,Z)}J=-1};function Mo(M){let O=ze.get(M);return(O.__readFormat!==M.format||O.__readType!==M.type)&&(O.__readFormat=M.format,O.__readType=M.type,O.__formatReadable=rt.textureFormatReadable(M.format),O.__typeReadable=rt.textureTypeReadable(M.type)),O}this.readRenderTargetPixels=function(M,O,Z,$,K,Ae,Re,Ee=0){if(!(M&&M.isWebGLRenderTarget)){Ze("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Ie=ze.get(M).__webglFramebuffer;if(M.isWebGLCubeRenderTarget&&Re!==void 0&&(Ie=Ie[Re],Array.isArray(Ie)&&(Ie=Ie[0])),Ie){Me.bindFramebuffer(U.FRAMEBUFFER,Ie);try{let Be=M.textures[Ee],Qe=Be.format,gt=Be.type;M.textures.length>1&&U.readBuffer(U.COLOR_ATTACHMENT0+Ee);let Oe=Mo(Be);if(Oe.__formatReadable===!1){Ze("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Oe.__typeReadable===!1){Ze("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}O>=0&&O<=M.width-$&&Z>=0&&Z<=M.height-K&&U.readPixels(O,Z,$,K,ge.convert(Qe),ge.convert(gt),Ae)}finally{let Be=ce!==null?ze.get(ce).__webglFramebuffer:null;Me.bindFramebuffer(U.FRAMEBUFFER,Be)}}},this.readRenderTargetPixelsAsync=async function(M,O,Z,$,K,Ae,Re,Ee=0){if(!(M&&M.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Ie=ze.get(M).__webglFramebuffer;if(M.isWebGLCubeRenderTarget&&Re!==void 0&&(Ie=Ie[Re],Array.isArray(Ie)&&(Ie=Ie[0])),Ie)if(O>=0&&O<=M.width-$&&Z>=0&&Z<=M.height-K){Me.bindFramebuffer(U.FRAMEBUFFER,Ie);let Be=M.textures[Ee],Qe=Be.format,gt=Be.type;M.textures.length>1&&U.readBuffer(U.COLOR_ATTACHMENT0+Ee);let Oe=Mo(Be);if(Oe.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Oe.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let vt=U.createBuffer();U.bindBuffer(U.PIXEL_PACK_BUFFER,vt),U.bufferData(U.PIXEL_PACK_BUFFER,Ae.byteLength,U.STREAM_READ),U.readPixels(O,Z,$,K,ge.convert(Qe),ge.convert(gt),0),U.bindBuffer(U.PIXEL_PACK_BUFFER,null);let on=ce!==null?ze.get(ce).__webglFramebuffer:null;Me.bindFramebuffer(U.FRAMEBUFFER,on);let kt=U.fenceSync(U.SYNC_GPU_COMMANDS_COMPLETE,0);return U.flush(),await Sy(U,kt,4),U.bindBuffer(U.PIXEL_PACK_BUFFER,vt),U.getBufferSubData(U.PIXEL_PACK_BUFFER,0,Ae),U.bindBuffer(U.PIXEL_PACK_BUFFER,null),U.deleteBuffer(vt),U.deleteSync(kt),Ae}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(M,O=null,Z=0){let $=Math.pow(2,-Z),K=Math.floor(M.image.width*$),Ae=Math.floor(M.image.height*$),Re=O!==null?O.x:0,Ee=O!==null?O.y:0;$e.setTexture2D(M,0),U.copyTexSubImage2D(U.TEXTURE_2D,Z,0,0,Re,Ee,K,Ae),Me.unbindTexture()},this.copyTextureToTexture=function(M,O,Z=null,$=null,K=0,Ae=0){let Re,Ee,Ie,Be,Qe,gt,Oe,vt,on,kt=M.isCompressedTexture?M.mipmaps[Ae]:M.image;if(Z!==null)Re=Z.max.x-Z.min.x,Ee=Z.max.y-Z.min.y,Ie=Z.isBox3?Z.max.z-Z.min.z:1,Be=Z.min.x,Qe=Z.min.y,gt=Z.isBox3?Z.min.z:0;else{let dt=Math.pow(2,-K);Re=Math.floor(kt.width*dt),Ee=Math.floor(kt.height*dt),M.isDataArrayTexture?Ie=kt.depth:M.isData3DTexture?Ie=Math.floor(kt.depth*dt):Ie=1,Be=0,Qe=0,gt=0}$!==null?(Oe=$.x,vt=$.y,on=$.z):(Oe=0,vt=0,on=0);let Ut=ge.convert(O.format),Pn=ge.convert(O.type),Fe;O.isData3DTexture?($e.setTexture3D(O,0),Fe=U.TEXTURE_3D):O.isDataArrayTexture||O.isCompressedArrayTexture?($e.setTexture2DArray(O,0),Fe=U.TEXTURE_2D_ARRAY):($e.setTexture2D(O,0),Fe=U.TEXTURE_2D),Me.activeTexture(U.TEXTURE0),Me.pixelStorei(U.UNPACK_FLIP_Y_WEBGL,O.flipY),Me.pixelStorei(U.UNPACK_PREMULTIPLY_ALPHA_WEBGL,O.premultiplyAlpha),Me.pixelStorei(U.UNPACK_ALIGNMENT,O.unpackAlignment);let bn=Me.getParameter(U.UNPACK_ROW_LENGTH),yt=Me.getParameter(U.UNPACK_IMAGE_HEIGHT),Ps=Me.getParameter(U.UNPACK_SKIP_PIXELS),xn=Me.getParameter(U.UNPACK_SKIP_ROWS),So=Me.getParameter(U.UNPACK_SKIP_IMAGES);Me.pixelStorei(U.UNPACK_ROW_LENGTH,kt.width),Me.pixelStorei(U.UNPACK_IMAGE_HEIGHT,kt.height),Me.pixelStorei(U.UNPACK_SKIP_PIXELS,Be),Me.pixelStorei(U.UNPACK_SKIP_ROWS,Qe),Me.pixelStorei(U.UNPACK_SKIP_IMAGES,gt);let rs=M.isDataArrayTexture||M.isData3DTexture,Rs=O.isDataArrayTexture||O.isData3DTexture;if(M.isDepthTexture){let dt=ze.get(M),un=ze.get(O),ei=ze.get(dt.__renderTarget),Ot=ze.get(un.__renderTarget);Me.bindFramebuffer(U.READ_FRAMEBUFFER,ei.__webglFramebuffer),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,Ot.__webglFramebuffer);for(let wn=0;wn<Ie;wn++)rs&&(U.framebufferTextureLayer(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,ze.get(M).__webglTexture,K,gt+wn),U.framebufferTextureLayer(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,ze.get(O).__webglTexture,Ae,on+wn)),U.blitFramebuffer(Be,Qe,Be+Re,Qe+Ee,Oe,vt,Oe+Re,vt+Ee,U.DEPTH_BUFFER_BIT,U.NEAREST);Me.bindFramebuffer(U.READ_FRAMEBUFFER,null),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,null)}else if(K!==0||M.isRenderTargetTexture||ze.has(M)){let dt=ze.get(M),un=ze.get(O);Me.bindFramebuffer(U.READ_FRAMEBUFFER,D),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,W);for(let ei=0;ei<Ie;ei++)rs?U.framebufferTextureLayer(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,dt.__webglTexture,K,gt+ei):U.framebufferTexture2D(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,dt.__webglTexture,K),Rs?U.framebufferTextureLayer(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,un.__webglTexture,Ae,on+ei):U.framebufferTexture2D(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,un.__webglTexture,Ae),K!==0?U.blitFramebuffer(Be,Qe,Be+Re,Qe+Ee,Oe,vt,Oe+Re,vt+Ee,U.COLOR_BUFFER_BIT,U.NEAREST):Rs?U.copyTexSubImage3D(Fe,Ae,Oe,vt,on+ei,Be,Qe,Re,Ee):U.copyTexSubImage2D(Fe,Ae,Oe,vt,Be,Qe,Re,Ee);Me.bindFramebuffer(U.READ_FRAMEBUFFER,null),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,null)}else Rs?M.isDataTexture||M.isData3DTexture?U.texSubImage3D(Fe,Ae,Oe,vt,on,Re,Ee,Ie,Ut,Pn,kt.data):O.isCompressedArrayTexture?U.compressedTexSubImage3D(Fe,Ae,Oe,vt,on,Re,Ee,Ie,Ut,kt.data):U.texSubImage3D(Fe,Ae,Oe,vt,on,Re,Ee,Ie,Ut,Pn,kt):M.isDataTexture?U.texSubImage2D(U.TEXTURE_2D,Ae,Oe,vt,Re,Ee,Ut,Pn,kt.data):M.isCompressedTexture?U.compressedTexSubImage2D(U.TEXTURE_2D,Ae,Oe,vt,kt.width,kt.height,Ut,kt.data):U.texSubImage2D(U.TEXTURE_2D,Ae,Oe,vt,Re,Ee,Ut,Pn,kt);Me.pixelStorei(U.UNPACK_ROW_LENGTH,bn),Me.pixelStorei(U.UNPACK_IMAGE_HEIGHT,yt),Me.pixelStorei(U.UNPACK_SKIP_PIXELS,Ps),Me.pixelStorei(U.UNPACK_SKIP_ROWS,xn),Me.pixelStorei(U.UNPACK_SKIP_IMAGES,So),Ae===0&&O.generateMipmaps===!0&&O.mipmapsAutoUpdate===!0&&U.generateMipmap(Fe),Me.unbindTexture()},this.initRenderTarget=function(M){ze.get(M).__webglFramebuffer===void 0&&$e.setupRenderTarget(M)},this.initTexture=function(M){M.isCubeTexture?$e.setTextureCube(M,0):M.isData3DTexture?$e.setTexture3D(M,0):M.isDataArrayTexture||M.isCompressedArrayTexture?$e.setTexture2DArray(M,0):$e.setTexture2D(M,0),Me.unbindTexture()},this.resetState=function(){Y=0,G=0,ce=null,Me.reset(),xe.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return ki}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=bt._getDrawingBufferColorSpace(e),t.unpackColorSpace=bt._getUnpackColorSpace()}};var Hu={"action_msgs/msg/GoalInfo":[["goal_id","unique_identifier_msgs/msg/UUID",0],["stamp","builtin_interfaces/msg/Time",0]],"action_msgs/msg/GoalStatus":[["goal_info","action_msgs/msg/GoalInfo",0],["status","int8",0]],"action_msgs/msg/GoalStatusArray":[["status_list","action_msgs/msg/GoalStatus",-1]],"builtin_interfaces/msg/Duration":[["sec","int32",0],["nanosec","uint32",0]],"builtin_interfaces/msg/Time":[["sec","int32",0],["nanosec","uint32",0]],"diagnostic_msgs/msg/DiagnosticArray":[["header","std_msgs/msg/Header",0],["status","diagnostic_msgs/msg/DiagnosticStatus",-1]],"diagnostic_msgs/msg/DiagnosticStatus":[["level","byte",0],["name","string",0],["message","string",0],["hardware_id","string",0],["values","diagnostic_msgs/msg/KeyValue",-1]],"diagnostic_msgs/msg/KeyValue":[["key","string",0],["value","string",0]],"geometry_msgs/msg/Accel":[["linear","geometry_msgs/msg/Vector3",0],["angular","geometry_msgs/msg/Vector3",0]],"geometry_msgs/msg/AccelStamped":[["header","std_msgs/msg/Header",0],["accel","geometry_msgs/msg/Accel",0]],"geometry_msgs/msg/AccelWithCovariance":[["accel","geometry_msgs/msg/Accel",0],["covariance","float64",36]],"geometry_msgs/msg/AccelWithCovarianceStamped":[["header","std_msgs/msg/Header",0],["accel","geometry_msgs/msg/AccelWithCovariance",0]],"geometry_msgs/msg/Inertia":[["m","float64",0],["com","geometry_msgs/msg/Vector3",0],["ixx","float64",0],["ixy","float64",0],["ixz","float64",0],["iyy","float64",0],["iyz","float64",0],["izz","float64",0]],"geometry_msgs/msg/InertiaStamped":[["header","std_msgs/msg/Header",0],["inertia","geometry_msgs/msg/Inertia",0]],"geometry_msgs/msg/Point":[["x","float64",0],["y","float64",0],["z","float64",0]],"geometry_msgs/msg/Point32":[["x","float32",0],["y","float32",0],["z","float32",0]],"geometry_msgs/msg/PointStamped":[["header","std_msgs/msg/Header",0],["point","geometry_msgs/msg/Point",0]],"geometry_msgs/msg/Polygon":[["points","geometry_msgs/msg/Point32",-1]],"geometry_msgs/msg/PolygonInstance":[["polygon","geometry_msgs/msg/Polygon",0],["id","int64",0]],"geometry_msgs/msg/PolygonInstanceStamped":[["header","std_msgs/msg/Header",0],["polygon","geometry_msgs/msg/PolygonInstance",0]],"geometry_msgs/msg/PolygonStamped":[["header","std_msgs/msg/Header",0],["polygon","geometry_msgs/msg/Polygon",0]],"geometry_msgs/msg/Pose":[["position","geometry_msgs/msg/Point",0],["orientation","geometry_msgs/msg/Quaternion",0]],"geometry_msgs/msg/Pose2D":[["x","float64",0],["y","float64",0],["theta","float64",0]],"geometry_msgs/msg/PoseArray":[["header","std_msgs/msg/Header",0],["poses","geometry_msgs/msg/Pose",-1]],"geometry_msgs/msg/PoseStamped":[["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0]],"geometry_msgs/msg/PoseWithCovariance":[["pose","geometry_msgs/msg/Pose",0],["covariance","float64",36]],"geometry_msgs/msg/PoseWithCovarianceStamped":[["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/PoseWithCovariance",0]],"geometry_msgs/msg/Quaternion":[["x","float64",0],["y","float64",0],["z","float64",0],["w","float64",0]],"geometry_msgs/msg/QuaternionStamped":[["header","std_msgs/msg/Header",0],["quaternion","geometry_msgs/msg/Quaternion",0]],"geometry_msgs/msg/Transform":[["translation","geometry_msgs/msg/Vector3",0],["rotation","geometry_msgs/msg/Quaternion",0]],"geometry_msgs/msg/TransformStamped":[["header","std_msgs/msg/Header",0],["child_frame_id","string",0],["transform","geometry_msgs/msg/Transform",0]],"geometry_msgs/msg/Twist":[["linear","geometry_msgs/msg/Vector3",0],["angular","geometry_msgs/msg/Vector3",0]],"geometry_msgs/msg/TwistStamped":[["header","std_msgs/msg/Header",0],["twist","geometry_msgs/msg/Twist",0]],"geometry_msgs/msg/TwistWithCovariance":[["twist","geometry_msgs/msg/Twist",0],["covariance","float64",36]],"geometry_msgs/msg/TwistWithCovarianceStamped":[["header","std_msgs/msg/Header",0],["twist","geometry_msgs/msg/TwistWithCovariance",0]],"geometry_msgs/msg/Vector3":[["x","float64",0],["y","float64",0],["z","float64",0]],"geometry_msgs/msg/Vector3Stamped":[["header","std_msgs/msg/Header",0],["vector","geometry_msgs/msg/Vector3",0]],"geometry_msgs/msg/VelocityStamped":[["header","std_msgs/msg/Header",0],["body_frame_id","string",0],["reference_frame_id","string",0],["velocity","geometry_msgs/msg/Twist",0]],"geometry_msgs/msg/Wrench":[["force","geometry_msgs/msg/Vector3",0],["torque","geometry_msgs/msg/Vector3",0]],"geometry_msgs/msg/WrenchStamped":[["header","std_msgs/msg/Header",0],["wrench","geometry_msgs/msg/Wrench",0]],"mrs_msgs/msg/HwApiAccelerationHdgCmd":[["header","std_msgs/msg/Header",0],["acceleration","geometry_msgs/msg/Vector3",0],["heading","float64",0]],"mrs_msgs/msg/HwApiAccelerationHdgRateCmd":[["header","std_msgs/msg/Header",0],["acceleration","geometry_msgs/msg/Vector3",0],["heading_rate","float64",0]],"mrs_msgs/msg/HwApiActuatorCmd":[["stamp","builtin_interfaces/msg/Time",0],["motors","float32",-1]],"mrs_msgs/msg/HwApiAttitudeCmd":[["stamp","builtin_interfaces/msg/Time",0],["orientation","geometry_msgs/msg/Quaternion",0],["throttle","float64",0]],"mrs_msgs/msg/HwApiAttitudeRateCmd":[["stamp","builtin_interfaces/msg/Time",0],["body_rate","geometry_msgs/msg/Vector3",0],["throttle","float64",0]],"mrs_msgs/msg/HwApiControlGroupCmd":[["stamp","builtin_interfaces/msg/Time",0],["roll","float32",0],["pitch","float32",0],["yaw","float32",0],["throttle","float32",0]],"mrs_msgs/msg/HwApiPositionCmd":[["header","std_msgs/msg/Header",0],["position","geometry_msgs/msg/Point",0],["heading","float64",0]],"mrs_msgs/msg/HwApiVelocityHdgCmd":[["header","std_msgs/msg/Header",0],["velocity","geometry_msgs/msg/Vector3",0],["heading","float64",0]],"mrs_msgs/msg/HwApiVelocityHdgRateCmd":[["header","std_msgs/msg/Header",0],["velocity","geometry_msgs/msg/Vector3",0],["heading_rate","float64",0]],"mrs_msgs/msg/MpcPredictionFullState":[["header","std_msgs/msg/Header",0],["input_id","int64",0],["stamps","builtin_interfaces/msg/Time",-1],["position","geometry_msgs/msg/Point",-1],["orientation","geometry_msgs/msg/Quaternion",-1],["attitude_rate","geometry_msgs/msg/Vector3",-1],["velocity","geometry_msgs/msg/Vector3",-1],["acceleration","geometry_msgs/msg/Vector3",-1],["jerk","geometry_msgs/msg/Vector3",-1],["heading","float64",-1],["heading_rate","float64",-1],["heading_acceleration","float64",-1],["heading_jerk","float64",-1],["use_orientation","uint8",0],["use_attitude_rate","uint8",0]],"mrs_msgs/msg/TrackerCommand":[["header","std_msgs/msg/Header",0],["position","geometry_msgs/msg/Point",0],["velocity","geometry_msgs/msg/Vector3",0],["acceleration","geometry_msgs/msg/Vector3",0],["jerk","geometry_msgs/msg/Vector3",0],["snap","geometry_msgs/msg/Vector3",0],["full_state_prediction","mrs_msgs/msg/MpcPredictionFullState",0],["orientation","geometry_msgs/msg/Quaternion",0],["attitude_rate","geometry_msgs/msg/Point",0],["throttle","float64",0],["heading","float64",0],["heading_rate","float64",0],["heading_acceleration","float64",0],["heading_jerk","float64",0],["disable_position_gains","bool",0],["disable_antiwindups","bool",0],["use_position_horizontal","uint8",0],["use_position_vertical","uint8",0],["use_velocity_horizontal","uint8",0],["use_velocity_vertical","uint8",0],["use_acceleration","uint8",0],["use_jerk","uint8",0],["use_snap","uint8",0],["use_attitude_rate","uint8",0],["use_heading","uint8",0],["use_heading_rate","uint8",0],["use_heading_acceleration","uint8",0],["use_heading_jerk","uint8",0],["use_orientation","uint8",0],["use_throttle","uint8",0],["use_full_state_prediction","uint8",0]],"nav_msgs/msg/GridCells":[["header","std_msgs/msg/Header",0],["cell_width","float32",0],["cell_height","float32",0],["cells","geometry_msgs/msg/Point",-1]],"nav_msgs/msg/MapMetaData":[["map_load_time","builtin_interfaces/msg/Time",0],["resolution","float32",0],["width","uint32",0],["height","uint32",0],["origin","geometry_msgs/msg/Pose",0]],"nav_msgs/msg/OccupancyGrid":[["header","std_msgs/msg/Header",0],["info","nav_msgs/msg/MapMetaData",0],["data","int8",-1]],"nav_msgs/msg/Odometry":[["header","std_msgs/msg/Header",0],["child_frame_id","string",0],["pose","geometry_msgs/msg/PoseWithCovariance",0],["twist","geometry_msgs/msg/TwistWithCovariance",0]],"nav_msgs/msg/Path":[["header","std_msgs/msg/Header",0],["poses","geometry_msgs/msg/PoseStamped",-1]],"rosgraph_msgs/msg/Clock":[["clock","builtin_interfaces/msg/Time",0]],"sensor_msgs/msg/BatteryState":[["header","std_msgs/msg/Header",0],["voltage","float32",0],["temperature","float32",0],["current","float32",0],["charge","float32",0],["capacity","float32",0],["design_capacity","float32",0],["percentage","float32",0],["power_supply_status","uint8",0],["power_supply_health","uint8",0],["power_supply_technology","uint8",0],["present","bool",0],["cell_voltage","float32",-1],["cell_temperature","float32",-1],["location","string",0],["serial_number","string",0]],"sensor_msgs/msg/CameraInfo":[["header","std_msgs/msg/Header",0],["height","uint32",0],["width","uint32",0],["distortion_model","string",0],["d","float64",-1],["k","float64",9],["r","float64",9],["p","float64",12],["binning_x","uint32",0],["binning_y","uint32",0],["roi","sensor_msgs/msg/RegionOfInterest",0]],"sensor_msgs/msg/ChannelFloat32":[["name","string",0],["values","float32",-1]],"sensor_msgs/msg/CompressedImage":[["header","std_msgs/msg/Header",0],["format","string",0],["data","uint8",-1]],"sensor_msgs/msg/FluidPressure":[["header","std_msgs/msg/Header",0],["fluid_pressure","float64",0],["variance","float64",0]],"sensor_msgs/msg/Illuminance":[["header","std_msgs/msg/Header",0],["illuminance","float64",0],["variance","float64",0]],"sensor_msgs/msg/Image":[["header","std_msgs/msg/Header",0],["height","uint32",0],["width","uint32",0],["encoding","string",0],["is_bigendian","uint8",0],["step","uint32",0],["data","uint8",-1]],"sensor_msgs/msg/Imu":[["header","std_msgs/msg/Header",0],["orientation","geometry_msgs/msg/Quaternion",0],["orientation_covariance","float64",9],["angular_velocity","geometry_msgs/msg/Vector3",0],["angular_velocity_covariance","float64",9],["linear_acceleration","geometry_msgs/msg/Vector3",0],["linear_acceleration_covariance","float64",9]],"sensor_msgs/msg/JointState":[["header","std_msgs/msg/Header",0],["name","string",-1],["position","float64",-1],["velocity","float64",-1],["effort","float64",-1]],"sensor_msgs/msg/Joy":[["header","std_msgs/msg/Header",0],["axes","float32",-1],["buttons","int32",-1]],"sensor_msgs/msg/JoyFeedback":[["type","uint8",0],["id","uint8",0],["intensity","float32",0]],"sensor_msgs/msg/JoyFeedbackArray":[["array","sensor_msgs/msg/JoyFeedback",-1]],"sensor_msgs/msg/LaserEcho":[["echoes","float32",-1]],"sensor_msgs/msg/LaserScan":[["header","std_msgs/msg/Header",0],["angle_min","float32",0],["angle_max","float32",0],["angle_increment","float32",0],["time_increment","float32",0],["scan_time","float32",0],["range_min","float32",0],["range_max","float32",0],["ranges","float32",-1],["intensities","float32",-1]],"sensor_msgs/msg/MagneticField":[["header","std_msgs/msg/Header",0],["magnetic_field","geometry_msgs/msg/Vector3",0],["magnetic_field_covariance","float64",9]],"sensor_msgs/msg/MultiDOFJointState":[["header","std_msgs/msg/Header",0],["joint_names","string",-1],["transforms","geometry_msgs/msg/Transform",-1],["twist","geometry_msgs/msg/Twist",-1],["wrench","geometry_msgs/msg/Wrench",-1]],"sensor_msgs/msg/MultiEchoLaserScan":[["header","std_msgs/msg/Header",0],["angle_min","float32",0],["angle_max","float32",0],["angle_increment","float32",0],["time_increment","float32",0],["scan_time","float32",0],["range_min","float32",0],["range_max","float32",0],["ranges","sensor_msgs/msg/LaserEcho",-1],["intensities","sensor_msgs/msg/LaserEcho",-1]],"sensor_msgs/msg/NavSatFix":[["header","std_msgs/msg/Header",0],["status","sensor_msgs/msg/NavSatStatus",0],["latitude","float64",0],["longitude","float64",0],["altitude","float64",0],["position_covariance","float64",9],["position_covariance_type","uint8",0]],"sensor_msgs/msg/NavSatStatus":[["status","int8",0],["service","uint16",0]],"sensor_msgs/msg/PointCloud":[["header","std_msgs/msg/Header",0],["points","geometry_msgs/msg/Point32",-1],["channels","sensor_msgs/msg/ChannelFloat32",-1]],"sensor_msgs/msg/PointCloud2":[["header","std_msgs/msg/Header",0],["height","uint32",0],["width","uint32",0],["fields","sensor_msgs/msg/PointField",-1],["is_bigendian","bool",0],["point_step","uint32",0],["row_step","uint32",0],["data","uint8",-1],["is_dense","bool",0]],"sensor_msgs/msg/PointField":[["name","string",0],["offset","uint32",0],["datatype","uint8",0],["count","uint32",0]],"sensor_msgs/msg/Range":[["header","std_msgs/msg/Header",0],["radiation_type","uint8",0],["field_of_view","float32",0],["min_range","float32",0],["max_range","float32",0],["range","float32",0],["variance","float32",0]],"sensor_msgs/msg/RegionOfInterest":[["x_offset","uint32",0],["y_offset","uint32",0],["height","uint32",0],["width","uint32",0],["do_rectify","bool",0]],"sensor_msgs/msg/RelativeHumidity":[["header","std_msgs/msg/Header",0],["relative_humidity","float64",0],["variance","float64",0]],"sensor_msgs/msg/Temperature":[["header","std_msgs/msg/Header",0],["temperature","float64",0],["variance","float64",0]],"sensor_msgs/msg/TimeReference":[["header","std_msgs/msg/Header",0],["time_ref","builtin_interfaces/msg/Time",0],["source","string",0]],"service_msgs/msg/ServiceEventInfo":[["event_type","uint8",0],["stamp","builtin_interfaces/msg/Time",0],["client_gid","uint8",16],["sequence_number","int64",0]],"simulation_interfaces/msg/Bounds":[["type","uint8",0],["points","geometry_msgs/msg/Vector3",-1]],"simulation_interfaces/msg/EntityCategory":[["category","uint8",0]],"simulation_interfaces/msg/EntityFilters":[["filter","string",0],["categories","simulation_interfaces/msg/EntityCategory",-1],["tags","simulation_interfaces/msg/TagsFilter",0],["bounds","simulation_interfaces/msg/Bounds",0]],"simulation_interfaces/msg/EntityState":[["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0],["twist","geometry_msgs/msg/Twist",0],["acceleration","geometry_msgs/msg/Accel",0]],"simulation_interfaces/msg/Result":[["result","uint8",0],["error_message","string",0]],"simulation_interfaces/msg/SimulationState":[["state","uint8",0]],"simulation_interfaces/msg/SimulatorFeatures":[["features","uint16",-1],["spawn_formats","string",-1],["custom_info","string",0]],"simulation_interfaces/msg/Spawnable":[["uri","string",0],["description","string",0],["spawn_bounds","simulation_interfaces/msg/Bounds",0]],"simulation_interfaces/msg/TagsFilter":[["tags","string",-1],["filter_mode","uint8",0]],"std_msgs/msg/Bool":[["data","bool",0]],"std_msgs/msg/Byte":[["data","byte",0]],"std_msgs/msg/ByteMultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","byte",-1]],"std_msgs/msg/Char":[["data","char",0]],"std_msgs/msg/ColorRGBA":[["r","float32",0],["g","float32",0],["b","float32",0],["a","float32",0]],"std_msgs/msg/Empty":[["structure_needs_at_least_one_member","uint8",0]],"std_msgs/msg/Float32":[["data","float32",0]],"std_msgs/msg/Float32MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","float32",-1]],"std_msgs/msg/Float64":[["data","float64",0]],"std_msgs/msg/Float64MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","float64",-1]],"std_msgs/msg/Header":[["stamp","builtin_interfaces/msg/Time",0],["frame_id","string",0]],"std_msgs/msg/Int16":[["data","int16",0]],"std_msgs/msg/Int16MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","int16",-1]],"std_msgs/msg/Int32":[["data","int32",0]],"std_msgs/msg/Int32MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","int32",-1]],"std_msgs/msg/Int64":[["data","int64",0]],"std_msgs/msg/Int64MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","int64",-1]],"std_msgs/msg/Int8":[["data","int8",0]],"std_msgs/msg/Int8MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","int8",-1]],"std_msgs/msg/MultiArrayDimension":[["label","string",0],["size","uint32",0],["stride","uint32",0]],"std_msgs/msg/MultiArrayLayout":[["dim","std_msgs/msg/MultiArrayDimension",-1],["data_offset","uint32",0]],"std_msgs/msg/String":[["data","string",0]],"std_msgs/msg/UInt16":[["data","uint16",0]],"std_msgs/msg/UInt16MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint16",-1]],"std_msgs/msg/UInt32":[["data","uint32",0]],"std_msgs/msg/UInt32MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint32",-1]],"std_msgs/msg/UInt64":[["data","uint64",0]],"std_msgs/msg/UInt64MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint64",-1]],"std_msgs/msg/UInt8":[["data","uint8",0]],"std_msgs/msg/UInt8MultiArray":[["layout","std_msgs/msg/MultiArrayLayout",0],["data","uint8",-1]],"tf2_msgs/msg/TF2Error":[["error","uint8",0],["error_string","string",0]],"tf2_msgs/msg/TFMessage":[["transforms","geometry_msgs/msg/TransformStamped",-1]],"unique_identifier_msgs/msg/UUID":[["uuid","uint8",16]],"visualization_msgs/msg/ImageMarker":[["header","std_msgs/msg/Header",0],["ns","string",0],["id","int32",0],["type","int32",0],["action","int32",0],["position","geometry_msgs/msg/Point",0],["scale","float32",0],["outline_color","std_msgs/msg/ColorRGBA",0],["filled","uint8",0],["fill_color","std_msgs/msg/ColorRGBA",0],["lifetime","builtin_interfaces/msg/Duration",0],["points","geometry_msgs/msg/Point",-1],["outline_colors","std_msgs/msg/ColorRGBA",-1]],"visualization_msgs/msg/InteractiveMarker":[["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0],["name","string",0],["description","string",0],["scale","float32",0],["menu_entries","visualization_msgs/msg/MenuEntry",-1],["controls","visualization_msgs/msg/InteractiveMarkerControl",-1]],"visualization_msgs/msg/InteractiveMarkerControl":[["name","string",0],["orientation","geometry_msgs/msg/Quaternion",0],["orientation_mode","uint8",0],["interaction_mode","uint8",0],["always_visible","bool",0],["markers","visualization_msgs/msg/Marker",-1],["independent_marker_orientation","bool",0],["description","string",0]],"visualization_msgs/msg/InteractiveMarkerFeedback":[["header","std_msgs/msg/Header",0],["client_id","string",0],["marker_name","string",0],["control_name","string",0],["event_type","uint8",0],["pose","geometry_msgs/msg/Pose",0],["menu_entry_id","uint32",0],["mouse_point","geometry_msgs/msg/Point",0],["mouse_point_valid","bool",0]],"visualization_msgs/msg/InteractiveMarkerInit":[["server_id","string",0],["seq_num","uint64",0],["markers","visualization_msgs/msg/InteractiveMarker",-1]],"visualization_msgs/msg/InteractiveMarkerPose":[["header","std_msgs/msg/Header",0],["pose","geometry_msgs/msg/Pose",0],["name","string",0]],"visualization_msgs/msg/InteractiveMarkerUpdate":[["server_id","string",0],["seq_num","uint64",0],["type","uint8",0],["markers","visualization_msgs/msg/InteractiveMarker",-1],["poses","visualization_msgs/msg/InteractiveMarkerPose",-1],["erases","string",-1]],"visualization_msgs/msg/Marker":[["header","std_msgs/msg/Header",0],["ns","string",0],["id","int32",0],["type","int32",0],["action","int32",0],["pose","geometry_msgs/msg/Pose",0],["scale","geometry_msgs/msg/Vector3",0],["color","std_msgs/msg/ColorRGBA",0],["lifetime","builtin_interfaces/msg/Duration",0],["frame_locked","bool",0],["points","geometry_msgs/msg/Point",-1],["colors","std_msgs/msg/ColorRGBA",-1],["texture_resource","string",0],["texture","sensor_msgs/msg/CompressedImage",0],["uv_coordinates","visualization_msgs/msg/UVCoordinate",-1],["text","string",0],["mesh_resource","string",0],["mesh_file","visualization_msgs/msg/MeshFile",0],["mesh_use_embedded_materials","bool",0]],"visualization_msgs/msg/MarkerArray":[["markers","visualization_msgs/msg/Marker",-1]],"visualization_msgs/msg/MenuEntry":[["id","uint32",0],["parent_id","uint32",0],["title","string",0],["command","string",0],["command_type","uint8",0]],"visualization_msgs/msg/MeshFile":[["filename","string",0],["data","uint8",-1]],"visualization_msgs/msg/UVCoordinate":[["u","float32",0],["v","float32",0]]};var Xl=4,dP=1,Fm=class{constructor(e){this.bytes=e;if(e.length<Xl)throw new Error(`${e.length} bytes are no message: the header alone has ${Xl}`);if(e[0]!==0||e[1]!==dP)throw new Error("only plain little-endian CDR is read here");this.view=new DataView(e.buffer,e.byteOffset+Xl,e.byteLength-Xl)}bytes;view;at=0;take(e,t){let n=this.at+t-1&-t;if(this.at=n+e,this.at>this.view.byteLength)throw new Error("the message ends too early");return n}count(){return this.view.getUint32(this.take(4,4),!0)}},Wu={size:1,array:Uint8Array,read:(i,e)=>i.getUint8(e)},pb={uint8:Wu,byte:Wu,char:Wu,bool:{...Wu,read:(i,e)=>i.getUint8(e)!==0},int8:{size:1,array:Int8Array,read:(i,e)=>i.getInt8(e)},int16:{size:2,array:Int16Array,read:(i,e)=>i.getInt16(e,!0)},uint16:{size:2,array:Uint16Array,read:(i,e)=>i.getUint16(e,!0)},int32:{size:4,array:Int32Array,read:(i,e)=>i.getInt32(e,!0)},uint32:{size:4,array:Uint32Array,read:(i,e)=>i.getUint32(e,!0)},int64:{size:8,array:BigInt64Array,read:(i,e)=>Number(i.getBigInt64(e,!0))},uint64:{size:8,array:BigUint64Array,read:(i,e)=>Number(i.getBigUint64(e,!0))},float32:{size:4,array:Float32Array,read:(i,e)=>i.getFloat32(e,!0)},float64:{size:8,array:Float64Array,read:(i,e)=>i.getFloat64(e,!0)}},pP=new TextDecoder;function fP(i){let e=i.count(),t=i.take(e,1)+Xl;return pP.decode(i.bytes.subarray(t,t+Math.max(e-1,0)))}function fb(i){if(i==="string")return fP;let e=pb[i];if(!e)return mb(i);let{size:t,read:n}=e;return s=>n(s.view,s.take(t,t))}function mP(i,e){let{size:t,array:n}=i;return s=>{let r=e<0?s.count():e;if(r===0)return new n(new ArrayBuffer(0),0,0);let o=s.take(r*t,t),a=s.view.byteOffset+o,{buffer:l}=s.bytes;return a%t===0?new n(l,a,r):new n(l.slice(a,a+r*t),0,r)}}function gP(i,e){let t=pb[i];if(t&&i!=="bool")return mP(t,e);let n=fb(i);return s=>{let r=e<0?s.count():e;if(r>s.view.byteLength)throw new Error("the message ends too early");let o=[];for(let a=0;a<r;a++)o.push(n(s));return o}}var db=new Map;function mb(i){let e=db.get(i);if(e)return e;let t=Hu[i];if(!t)throw new Error(`the page does not know the message type '${i}'`);let n=t.map(([r,o,a])=>[r,a===0?fb(o):gP(o,a)]),s=r=>{let o={};for(let[a,l]of n)o[a]=l(r);return o};return db.set(i,s),s}function km(i){return i in Hu}function gb(i){for(let[e,t]of Object.entries(i))Hu[e]??=t}function $t(i,e){return mb(i)(new Fm(e))}var qu={names:{about:"names over robots",on:!0},trails:{about:"where robots were in the last minute",on:!0},shadows:{about:"shadows of the sun",on:!0},weather:{about:"rain, snow and dust in the air",on:!0},frames:{about:"axes of bodies and sensors of the selected robot",on:!1},frusta:{about:"what cameras see, with the live picture of switched ones",on:!1},wind:{about:"wind round the selected robot",on:!1},contacts:{about:"contact forces",on:!0},markers:{about:"drawings of programs",on:!0},plans:{about:"paths and maps that are on the bus",on:!1},station:{about:"instruments of the selected robot: attitude and force",on:!1},grid:{about:"a grid of 1 m and 10 m on the ground",on:!1}},vb=["range","height","intensity","label","ring"];function Um(i,e){return new Proxy(i,{set(t,n,s){return t[String(n)]===s||(t[String(n)]=s,e.emit("layers",String(n))),!0}})}Vn.DEFAULT_UP.set(0,0,1);var _b=256,vP=500,Xu=class{constructor(e,t,n){this.canvas=e;this.events=t;this.connection=n;this.renderer=new zu({canvas:e,antialias:!0,powerPreference:"high-performance",stencil:!1}),this.renderer.autoClear=!0;let s=Object.fromEntries(Object.entries(qu).map(([r,o])=>[r,o.on]));this.layers=Um(s,this.events),this.options=Um({},this.events),this.topics=n.topics,this.remember()}canvas;events;connection;topics;scene=new Vr;camera=new qn(60,1,.05,6e3);renderer;origin=[0,0,0];layers;options;cameras;quality;figures;view;welcome=null;state=null;world=null;sky=null;robots=[];controlling=!1;chosen=null;anchors=new Map;get selected(){return this.chosen}set selected(e){e!==this.chosen&&(this.chosen=e,this.events.emit("selected",e))}robot(e){return this.robots.find(t=>t.name===e)??null}notice(e,t="info"){this.events.emit("notice",{level:t,text:e})}anchored(e=[0,0,0]){let t=new Ai;return t.matrixAutoUpdate=!0,this.scene.add(t),this.anchor(t,e),t}anchor(e,t){this.anchors.set(e,t),e.position.set(t[0]-this.origin[0],t[1]-this.origin[1],t[2]-this.origin[2])}release(e){this.anchors.delete(e),this.scene.remove(e)}approach(e){if(!(Math.hypot(e[0]-this.origin[0],e[1]-this.origin[1],e[2]-this.origin[2])<vP)){for(let t=0;t<3;t++)this.origin[t]=Math.round(e[t]/_b)*_b;for(let[t,n]of this.anchors)this.anchor(t,n);this.events.emit("origin",this.origin)}}remember(){let{events:e}=this;e.on("welcome",t=>this.welcome=t),e.on("state",t=>this.state=t),e.on("world",t=>{this.world=t,this.robots=[]}),e.on("sky",t=>this.sky=t),e.on("robots",t=>{for(let{sensors:s}of t.robots)for(let{topics:r}of s)for(let{schema:o}of r)o&&gb(o);this.robots=t.robots,this.robot(this.chosen)||(this.selected=this.robots.find(s=>!s.movable)?.name??null)})}};var _s=i=>i.topics.some(({view:e})=>e==="image");function Zr(i,e){return i.controls.find(t=>t.gesture===e)??null}var _P=new Lt().setFromRotationMatrix(new He().set(0,0,-1,0,-1,0,0,0,0,1,0,0,0,0,0,1)),[yP,bP]=[new F(0,1,0),new F(1,0,0)],$u=i=>i.clone().multiply(_P);function Qr(i,e){let t=new Lt().setFromAxisAngle(new F(0,0,1),i);return t.multiply(new Lt().setFromAxisAngle(new F(0,1,0),-e)),$u(t)}var ga=(i,e)=>[Math.cos(e)*Math.cos(i),Math.cos(e)*Math.sin(i),Math.sin(e)];function Yu(i){let e=new F(1,0,0).applyQuaternion(i);return Math.atan2(e.y,e.x)}function Om(i){let e=new F(0,0,-1).applyQuaternion(i);return{yaw:Math.atan2(e.y,e.x),pitch:Math.asin(Math.max(-1,Math.min(1,e.z)))}}function yb(i,e,t){let n=(e-i+Math.PI)%(2*Math.PI)+(e-i+Math.PI<0?2*Math.PI:0)-Math.PI;return i+n*t}var Ku=(i,e)=>1-Math.exp(-i*e),bb=(i,e)=>new Lt().setFromAxisAngle(yP,i).multiply(new Lt().setFromAxisAngle(bP,e));function xb(i,e,t,n,s){let r=new F(e*n*s,t*n,-1).normalize().applyQuaternion(i);return[r.x,r.y,r.z]}var xP={orbit:{place:12,turn:0},chase:{place:9,turn:2.2},shoulder:{place:25,turn:7}},ju=class{constructor(e){this.free=e}free;yaw=.5;pitch=.26;length=1;glance={yaw:0,pitch:0};middle=null;heading=0;short=1;restart(){this.middle=null,this.glance={yaw:0,pitch:0}}turn(e,t){this.yaw+=e,this.pitch=Math.max(-.5,Math.min(1.5,this.pitch+t)),this.glance.yaw+=e,this.glance.pitch=Math.max(-1.4,Math.min(1.4,this.glance.pitch+t))}pose(e,t,n,s,r){let{place:o,turn:a}=xP[e],l=Yu(n);this.middle||(this.middle=[...t],this.heading=l,e!=="orbit"&&(this.yaw=e==="chase"?.35:0),this.short=1);let c=Ku(o,r);for(let b=0;b<3;b++)this.middle[b]+=(t[b]-this.middle[b])*c;this.heading=a?yb(this.heading,l,Ku(a,r)):0;let h=e==="shoulder",u=(h?1.1+1.6*s:1.8+5.5*s)*this.length,d=ga(this.heading+Math.PI+this.yaw,h?.2+.5*(this.pitch-.26):this.pitch),p=[this.middle[0],this.middle[1],this.middle[2]+.3*s],f=Math.min(1,this.free(p,d,u)/u);this.short=f<this.short?f:this.short+(f-this.short)*Ku(3,r);let y=u*this.short,m=p.map((b,C)=>b+d[C]*y);if(!h)return{p_W:m,q:Qr(Math.atan2(-d[1],-d[0]),-Math.asin(d[2]))};let g=ga(this.heading+this.yaw-Math.PI/2,0);for(let b=0;b<3;b++)m[b]+=g[b]*(.35+.5*s)*this.short;return{p_W:m,q:Qr(this.heading+this.yaw,-.1)}}};var Ju=["orbit","chase","shoulder","onboard","sensor","free"],va=60,wP=.6,wb=.25,Zu=class{constructor(e,t){this.app=e;this.world=t;this.arm=new ju((n,s,r)=>this.free(n,s,r)),this.now={p_W:this.p_W,q:new Lt,fov:va},e.events.on("selected",()=>this.change()),e.events.on("world",()=>this.started=!1),e.events.on("robots",()=>this.hidden=null)}app;world;p_W=[0,0,3];yaw=0;pitch=-.1;speed=6;arm;current="chase";sensorName=null;from=null;since=0;now;hidden=null;started=!1;get mode(){return this.current}set mode(e){if(!Ju.includes(e))throw new Error(`no way of looking is called '${String(e)}'; there are ${Ju.join(", ")}`);if(e==="sensor"&&!this.sensor){this.app.notice("this robot has no camera","warning");return}e==="free"&&({yaw:this.yaw,pitch:this.pitch}=Om(this.now.q)),e==="free"&&(this.now.fov=va),this.current=e,this.change(),this.app.events.emit("camera",e)}get sensor(){return this.sensorOf(this.app.robot(this.app.selected))?.name??null}set sensor(e){this.sensorName=e,this.current==="sensor"&&this.change()}get inside(){return this.current==="onboard"||this.current==="sensor"?this.app.selected:null}get sensors(){return Mb(this.app.robot(this.app.selected)).map(e=>e.name)}nextPerson(){this.mode=this.current==="shoulder"?"onboard":this.current==="onboard"?"chase":"shoulder"}nextRobot(){let e=this.app.robots.filter(t=>!t.movable).map(t=>t.name);e.length&&(this.app.selected=e[(e.indexOf(this.app.selected??"")+1)%e.length])}place(e,t,n){this.current="free",this.from=null,this.started=!0,this.set({p_W:e,q:Qr(t,n),fov:va}),this.yaw=t,this.pitch=n,this.app.events.emit("camera","free")}update(e){let t=this.wanted(e);t?(this.started||(this.from=null),this.started=!0,this.set(this.blended(t,e))):this.started||this.waitAtSpawn(),this.hideInside();let{camera:n,origin:s}=this.app;this.app.approach(this.p_W),this.showThrough(),n.position.set(this.p_W[0]-s[0],this.p_W[1]-s[1],this.p_W[2]-s[2]),n.quaternion.copy(this.now.q),n.fov!==this.now.fov&&(n.fov=this.now.fov,n.updateProjectionMatrix())}set(e){for(let t=0;t<3;t++)this.p_W[t]=e.p_W[t];this.now={...e,p_W:this.p_W}}change(){this.from={p_W:[...this.p_W],q:this.now.q.clone(),fov:this.now.fov},this.since=0,this.arm.restart()}blended(e,t){let{from:n}=this;if(!n)return e;this.since+=t;let s=Math.min(1,this.since/wP);if(s>=1||Math.hypot(...e.p_W.map((a,l)=>a-n.p_W[l]))>300)return this.from=null,e;let r=s*s*(3-2*s);return{p_W:e.p_W.map((a,l)=>n.p_W[l]+(a-n.p_W[l])*r),q:n.q.clone().slerp(e.q,r),fov:n.fov+(e.fov-n.fov)*r}}wanted(e){let{app:t}=this,n=t.robot(t.selected);if(this.current==="free"||!n)return this.started?{p_W:[...this.p_W],q:this.current==="free"?Qr(this.yaw,this.pitch):this.now.q,fov:va}:null;let s=t.figures.place(n.name),r=t.figures.attitude(n.name),o=t.figures.figures.get(n.name);return!s||!r||!o?null:this.current==="onboard"?this.onboard(s,r,o.radius):this.current==="sensor"?this.through(n)??this.onboard(s,r,o.radius):{...this.arm.pose(this.current,s,r,o.radius,e),fov:va}}onboard(e,t,n){let{yaw:s,pitch:r}=this.arm.glance,o=$u(t).multiply(bb(s,r));return{p_W:[e[0],e[1],e[2]+.25*n],q:o,fov:70}}through(e){let t=this.sensorOf(e),n=t&&this.app.figures.sensorPose(e,t);if(!t||!n)return null;let{fov_deg:s=90,width:r=4,height:o=3}=t.about,a=this.app.figures.zoom(t)/Math.tan(Math.min(s,150)*Math.PI/360),l=Math.max(o/r,1/this.app.camera.aspect)/a;return{p_W:n.p_W,q:$u(n.q),fov:2*Math.atan(l)*180/Math.PI}}sensorOf(e){let t=Mb(e);return t.find(n=>n.name===this.sensorName)??t[0]??null}hideInside(){let e=this.from?null:this.inside;if(e!==this.hidden){for(let[t,n]of[[this.hidden,!0],[e,!1]])this.app.figures.figures.get(t??"")?.group.traverse(s=>{n?s.layers.enable(0):s.layers.disable(0)});this.hidden=e}}showThrough(){let t=this.current==="orbit"||this.current==="chase"||this.current==="shoulder"?this.app.figures.place(this.app.selected):null,n=this.app.figures.figures.get(this.app.selected??"")?.radius??0,s=this.world.light.uniforms.focus.value,{origin:r}=this.app;t?s.set(t[0]-r[0],t[1]-r[1],t[2]-r[2],1.2*n+.2):s.w=0}waitAtSpawn(){let e=this.app.world?.spawn;e&&(this.set({p_W:[e[0]-6,e[1]-3,e[2]+2],q:Qr(.46,-.2),fov:va}),{yaw:this.yaw,pitch:this.pitch}=Om(this.now.q),this.app.robots.length||(this.started=!0))}free(e,t,n){return Math.max(.3,this.world.chunks.ground.cast(e,t,n+wb)-wb)}fly(e,t,n){let s=ga(this.yaw,this.pitch),r=ga(this.yaw+Math.PI/2,0);for(let o=0;o<3;o++)this.p_W[o]+=s[o]*e+r[o]*t;this.p_W[2]+=n}},Mb=i=>i?.sensors.filter(_s)??[];var $l=.005,MP=5,SP=4,Yl=500,Sb=.6,Qu=class{constructor(e,t){this.app=e;this.world=t;let{canvas:n}=e;n.addEventListener("pointerdown",s=>this.down(s)),n.addEventListener("pointermove",s=>this.move(s)),n.addEventListener("pointerup",s=>this.up(s)),n.addEventListener("pointercancel",()=>this.pressed=null),n.addEventListener("dblclick",s=>this.double(s)),n.addEventListener("contextmenu",s=>s.preventDefault()),n.addEventListener("wheel",s=>this.wheel(s),{passive:!1}),e.events.on("add",({type:s})=>{this.add(s)}),window.addEventListener("keydown",s=>this.key(s)),window.addEventListener("keyup",s=>this.held.delete(s.code)),window.addEventListener("blur",()=>this.held.clear())}app;world;held=new Set;pressed=null;update(e){let{cameras:t,controlling:n}=this.app;if(t.mode!=="free"||n||!this.held.size)return;let s=(o,a)=>Number(o.some(l=>this.held.has(l)))-Number(a.some(l=>this.held.has(l))),r=t.speed*e*(this.held.has("ShiftLeft")||this.held.has("ShiftRight")?SP:1);t.fly(r*s(["KeyW","ArrowUp"],["KeyS","ArrowDown"]),r*s(["KeyA","ArrowLeft"],["KeyD","ArrowRight"]),r*s(["KeyE"],["KeyQ"]))}down(e){this.app.canvas.setPointerCapture(e.pointerId),this.app.canvas.focus(),this.pressed={button:e.button,x:e.clientX,y:e.clientY,moved:!1}}move(e){let{pressed:t,app:n}=this;if(!t)return this.hover(e);let[s,r]=[e.clientX-t.x,e.clientY-t.y];if(!t.moved&&Math.hypot(s,r)<MP)return;t.moved=!0,t.x=e.clientX,t.y=e.clientY;let{cameras:o}=n;t.button===2&&o.mode!=="free"&&(o.mode="free"),o.mode==="free"?(o.yaw-=s*$l*.7,o.pitch=Math.max(-1.55,Math.min(1.55,o.pitch-r*$l*.7))):o.arm.turn(-s*$l,o.inside?-r*$l:r*$l)}up(e){let{pressed:t,app:n}=this;if(this.pressed=null,!t||t.moved)return;if(t.button===2){n.cameras.mode="free";return}if(t.button!==0)return;let s=this.robotAt(e);s&&(n.selected=s)}double(e){let t=this.groundAt(e);t&&e.shiftKey?this.put(t):t&&this.app.events.emit("waypoint",{p:t,robot:this.app.selected})}async put(e){let{app:t}=this,n=t.selected,s=n?t.figures.place(n):null;if(!n||!s)return;let r=Math.min(this.world.chunks.ground.cast(s,[0,0,-1],Yl),Yl),o=e[2]+(r<Yl?r:Sb);await this.tried({do:"place",robot:n,p:[e[0],e[1],o]})}async add(e){let{canvas:t,cameras:n,robots:s}=this.app,{left:r,top:o,width:a,height:l}=t.getBoundingClientRect(),c=new MouseEvent("click",{clientX:r+a/2,clientY:o+l/2}),h=this.wayAt(c),u=m=>n.p_W[m]+8*h[m],d=this.groundAt(c)??[u(0),u(1),u(2)],p=1;for(;s.some(m=>m.name===`${e}_${p}`);)p+=1;let f=`${e}_${p}`;await this.tried({do:"spawn",name:f,data:{type:e,position:[d[0],d[1],d[2]+Sb]}})&&(this.app.selected=f)}async tried(e){try{return await this.app.connection.ask(e),!0}catch(t){return this.app.notice(t.message,"error"),!1}}hover(e){let t=this.robotAt(e);this.app.figures.hovered=t,this.app.canvas.style.cursor=t?"pointer":"default"}wheel(e){e.preventDefault();let{cameras:t}=this.app,n=Math.exp(Math.max(-100,Math.min(100,e.deltaY))*.0015);t.mode==="free"?t.speed=Math.max(.3,Math.min(120,t.speed/n)):t.arm.length=Math.max(.2,Math.min(60,t.arm.length*n))}key(e){let t=e.target;if(e.ctrlKey||e.metaKey||e.altKey||AP(t)||(this.held.add(e.code),e.repeat))return;let{cameras:n,layers:s}=this.app;e.code==="KeyC"?n.nextPerson():e.code==="KeyV"?this.world.light.lamp=this.world.light.uniforms.cameraLamp.value===0:e.code==="KeyG"?s.grid=!s.grid:/^Digit[1-6]$/.test(e.code)&&(n.mode=Ju[Number(e.code.slice(5))-1])}wayAt(e){let{canvas:t,camera:n}=this.app,{left:s,top:r,width:o,height:a}=t.getBoundingClientRect(),[l,c]=[2*(e.clientX-s)/o-1,1-2*(e.clientY-r)/a];return xb(n.quaternion,l,c,Math.tan(n.fov*Math.PI/360),n.aspect)}groundAt(e){let t=this.wayAt(e),{p_W:n}=this.app.cameras,s=this.world.chunks.ground.cast(n,t,Yl);return s<Yl?[n[0]+t[0]*s,n[1]+t[1]*s,n[2]+t[2]*s]:null}robotAt(e){let{app:t}=this,n=new F(...this.wayAt(e)),s=t.figures.pick(t.camera.position,n);return s&&s.name!==t.cameras.inside?s.name:null}},AP=i=>i!==null&&(["INPUT","TEXTAREA","SELECT"].includes(i.tagName)||i.isContentEditable);var ed=128,EP=[1,.25,.2,.3,.95,.3,.35,.5,1],Ab=100,td=class{constructor(e){this.app=e;let t=new ht,n=new Float32Array(18*ed);for(let s=0;s<ed;s++)for(let r=0;r<3;r++)for(let o=0;o<2;o++)n.set(EP.slice(3*r,3*r+3),18*s+6*r+3*o);t.setAttribute("position",new ot(this.positions,3).setUsage(gi)),t.setAttribute("color",new ot(n,3)),this.lines=new mi(t,new oi({vertexColors:!0,depthTest:!1,toneMapped:!1})),this.lines.frustumCulled=!1,this.lines.renderOrder=45,e.scene.add(this.lines),this.grid=e.anchored();for(let[s,r,o]of[[1,8952234,.25],[10,11189196,.5]]){let a=new Il(Ab,Ab/s,r,r);a.rotation.x=Math.PI/2,a.material.transparent=!0,a.material.opacity=o,a.renderOrder=11,this.grid.add(a)}}app;lines;grid;positions=new Float32Array(18*ed);update(){let{app:e}=this;this.showGrid();let t=e.robot(e.selected);if(this.lines.visible=e.layers.frames&&t!==null&&e.figures.motion.ready,!this.lines.visible||!t)return;let n=e.figures.figures.get(t.name),s=.5*(n?.radius??.3),r=0;n?.bodies.forEach((o,a)=>r=this.write(r,o.position,o.quaternion,a===0?s:.5*s));for(let o of t.sensors){let a=e.figures.sensorPose(t,o);a&&(r=this.write(r,this.relative(a.p_W),a.q,.4*s))}this.lines.geometry.setDrawRange(0,6*r),this.lines.geometry.getAttribute("position").needsUpdate=!0}showGrid(){let{app:e}=this;this.grid.visible=e.layers.grid;let t=e.figures.place(e.selected)??e.cameras.p_W;this.grid.visible&&e.anchor(this.grid,[10*Math.round(t[0]/10),10*Math.round(t[1]/10),0])}relative(e){return new F(...e).sub(new F(...this.app.origin))}write(e,t,n,s){if(e>=ed)return e;for(let r=0;r<3;r++){let o=new F().setComponent(r,s).applyQuaternion(n).add(t);t.toArray(this.positions,18*e+6*r),o.toArray(this.positions,18*e+6*r+3)}return e+1}};var nd=class{listeners=new Map;on(e,t){let n=this.listeners.get(e);return n||this.listeners.set(e,n=new Set),n.add(t),()=>n.delete(t)}emit(e,t){for(let n of this.listeners.get(e)??[])try{n(t)}catch(s){console.error(`listener of '${String(e)}':`,s)}}};function Tb(i,e=!1){let t=i[0].index!==null,n=new Set(Object.keys(i[0].attributes)),s=new Set(Object.keys(i[0].morphAttributes)),r={},o={},a=i[0].morphTargetsRelative,l=new ht;l.morphTargetsRelative=a;let c=0;for(let h=0;h<i.length;++h){let u=i[h],d=0,p=0;if(t!==(u.index!==null))return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+". All geometries must have compatible attributes; make sure index attribute exists among all geometries, or in none of them."),null;for(let f in u.attributes){if(!n.has(f))return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+'. All geometries must have compatible attributes; make sure "'+f+'" attribute exists among all geometries, or in none of them.'),null;r[f]===void 0&&(r[f]=[]),r[f].push(u.attributes[f]),d++}if(d!==n.size)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+". Make sure all geometries have the same number of attributes."),null;if(a!==u.morphTargetsRelative)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+". .morphTargetsRelative must be consistent throughout all geometries."),null;for(let f in u.morphAttributes){if(!s.has(f))return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+".  .morphAttributes must be consistent throughout all geometries."),null;if(u.morphAttributes[f].length!==i[0].morphAttributes[f].length)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+'. All geometries must have the same number of morph targets for the "'+f+'" morph attribute.'),null;o[f]===void 0&&(o[f]=[]),o[f].push(u.morphAttributes[f]),p++}if(p!==s.size)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+". Make sure all geometries have the same number of morph attributes."),null;if(e){let f;if(t)f=u.index.count;else if(u.attributes.position!==void 0)f=u.attributes.position.count;else return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed with geometry at index "+h+". The geometry must have either an index or a position attribute"),null;l.addGroup(c,f,h),c+=f}}if(t){let h=0,u=[];for(let d=0;d<i.length;++d){let p=i[d].index;for(let f=0;f<p.count;++f)u.push(p.getX(f)+h);h+=i[d].attributes.position.count}l.setIndex(u)}for(let h in r){let u=Eb(r[h]);if(!u)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed while trying to merge the "+h+" attribute."),null;l.setAttribute(h,u)}for(let h in o){let u=o[h][0].length;if(u!==0){l.morphAttributes=l.morphAttributes||{},l.morphAttributes[h]=[];for(let d=0;d<u;++d){let p=[];for(let y=0;y<o[h].length;++y)p.push(o[h][y][d]);let f=Eb(p);if(!f)return console.error("THREE.BufferGeometryUtils: .mergeGeometries() failed while trying to merge the "+h+" morphAttribute."),null;l.morphAttributes[h].push(f)}}}return l}function Eb(i){let e,t,n,s=-1,r=0;for(let c=0;c<i.length;++c){let h=i[c];if(e===void 0&&(e=h.array.constructor),e!==h.array.constructor)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.array must be of consistent array types across matching attributes."),null;if(t===void 0&&(t=h.itemSize),t!==h.itemSize)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.itemSize must be consistent across matching attributes."),null;if(n===void 0&&(n=h.normalized),n!==h.normalized)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.normalized must be consistent across matching attributes."),null;if(s===-1&&(s=h.gpuType),s!==h.gpuType)return console.error("THREE.BufferGeometryUtils: .mergeAttributes() failed. BufferAttribute.gpuType must be consistent across matching attributes."),null;r+=h.count*t}let o=new e(r),a=new ot(o,t,n),l=0;for(let c=0;c<i.length;++c){let h=i[c];if(h.isInterleavedBufferAttribute){let u=l/t;for(let d=0,p=h.count;d<p;d++)for(let f=0;f<t;f++){let y=h.getComponent(d,f);a.setComponent(d+u,f,y)}}else o.set(h.array,l);l+=h.count*t}return s!==void 0&&(a.gpuType=s),a}var TP=new F(1,0,0),id=.28;function CP(){let i=new aa(.022,.022,1-id,8).rotateZ(-Math.PI/2).translate((1-id)/2,0,0),e=new qr(.07,id,12).rotateZ(-Math.PI/2).translate(1-id/2,0,0);return Tb([i,e])}var ys=class{constructor(e,t=64){this.app=e;this.group=e.anchored(),this.mesh=this.make(t)}app;group;mesh;material=new fi({toneMapped:!1,transparent:!0,opacity:.9});anchor=[0,0,0];make(e){let t=new zs(CP(),this.material,e);return t.frustumCulled=!1,t.renderOrder=18,t.count=0,this.group.add(t),t}begin(e,t){e>this.mesh.instanceMatrix.count&&(this.drop(),this.mesh=this.make(Math.ceil(1.3*e))),this.mesh.count=0,this.anchor=[...t],this.app.anchor(this.group,this.anchor)}add(e,t,n){let s=t.length();if(s<1e-6)return;let r=new Lt().setFromUnitVectors(TP,t.clone().divideScalar(s)),o=new F(e[0]-this.anchor[0],e[1]-this.anchor[1],e[2]-this.anchor[2]),a=this.mesh.count++;this.mesh.setMatrixAt(a,new He().compose(o,r,new F(s,s,s))),this.mesh.setColorAt(a,new lt().setRGB(n[0],n[1],n[2],an))}end(){this.mesh.instanceMatrix.needsUpdate=!0,this.mesh.instanceColor&&(this.mesh.instanceColor.needsUpdate=!0)}drop(){this.group.remove(this.mesh),this.mesh.geometry.dispose(),this.mesh.dispose()}dispose(){this.drop(),this.app.release(this.group),this.material.dispose()}};var PP=250,RP=[1,.72,.15],IP=.09,LP=2.5,sd=class{constructor(e){this.app=e;e.events.on("poses",t=>this.take(t)),e.events.on("world",()=>this.shown=[])}app;arrows=null;shown=[];changed=!1;update(e){let t=this.shown.length;if(this.shown=this.shown.filter(({until:s})=>s>e),this.app.layers.contacts||(this.shown=[]),!this.changed&&this.shown.length===t||(this.changed=!1,!this.shown.length&&!this.arrows))return;this.arrows??=new ys(this.app);let[n]=this.shown;this.arrows.begin(this.shown.length,n?[n.p[0],n.p[1],n.p[2]]:[0,0,0]);for(let{p:s,force:r}of this.shown)this.arrows.add(s,r,RP);this.arrows.end()}take(e){let{contact_p:t,impulse:n}=e.arrays;if(!t||!t.length||!this.app.layers.contacts)return;let s=(this.app.welcome?.step_ns??1e7)/1e9,r=performance.now()+PP;for(let o=0;o<t.length;o+=3){let a=new F(n[o],n[o+1],n[o+2]).divideScalar(s),l=a.length();l<.001||(a.multiplyScalar(Math.min(LP,IP*Math.sqrt(l))/l),this.shown.push({p:[t[o],t[o+1],t[o+2]],force:a,until:r}))}this.changed=!0}};var Bm=[.55,.08,.36,.83,.15,.63,0,.46];function DP(i,e,t){let n=s=>{let r=(s+12*i)%12;return t-e*Math.min(t,1-t)*Math.max(-1,Math.min(r-3,9-r,1))};return[n(0),n(8),n(4)]}var zm=new Map;function Kl(i){let e=zm.get(i);if(!e){let t=zm.size;e=DP((Bm[t%Bm.length]+Math.floor(t/Bm.length)*.035)%1,.85,.62),zm.set(i,e)}return e}function _a(i){return`rgb(${Kl(i).map(e=>Math.round(255*e)).join(" ")})`}var jl=44,Cb=.026,Pb=48;function Jl(i,e){let t=document.createElement("canvas"),n=t.getContext("2d"),s="600 26px system-ui, sans-serif";n.font=s,t.width=Math.ceil(n.measureText(i).width)+40,t.height=jl,n.font=s,n.fillStyle="rgba(10, 14, 20, 0.62)",n.beginPath(),n.roundRect(1,1,t.width-2,jl-2,12),n.fill(),n.fillStyle=e,n.beginPath(),n.arc(18,jl/2,6,0,2*Math.PI),n.fill(),n.fillStyle="#f2f5f8",n.textBaseline="middle",n.fillText(i,31,jl/2+1);let r=new Wr(t);r.colorSpace=an,r.minFilter=vn,r.generateMipmaps=!1;let o=new sa({map:r,sizeAttenuation:!1,depthTest:!1,transparent:!0,toneMapped:!1}),a=new wl(o);return a.userData.aspect=t.width/jl,a.center.set(.5,0),a.renderOrder=50,a}function Zl(i,e,t){let n=e*2*Math.tan(t*Math.PI/360);i.scale.set(n*i.userData.aspect,n,1)}var rd=class{constructor(e){this.app=e;let t=Array.from({length:Pb+1},(s,r)=>{let o=2*Math.PI*r/Pb;return new F(Math.cos(o),Math.sin(o),0)}),n=new oi({color:5886207,transparent:!0,opacity:.9,toneMapped:!1});this.ring=new fs(new ht().setFromPoints(t),n),this.ring.renderOrder=40,e.scene.add(this.ring),e.events.on("robots",()=>this.rename())}app;sprites=new Map;ring;update(){let{figures:e,layers:t,camera:n,selected:s,cameras:r}=this.app;this.ring.visible=!1;for(let[o,a]of this.sprites){let l=e.figures.get(o),c=r.inside===o;if(a.visible=t.names&&l!==void 0&&!c&&e.motion.ready,!l)continue;let{position:h}=l.bodies[0];a.position.copy(h),a.position.z+=l.radius*.9+.1,Zl(a,o===s?Cb*1.15:Cb,n.fov),a.material.opacity=o===s||o===e.hovered?1:.7,o===s&&!c&&t.names&&(this.ring.visible=!0,this.ring.position.copy(h),this.ring.scale.setScalar(l.radius*1.25))}}rename(){for(let e of this.sprites.values())this.app.scene.remove(e),e.material.map?.dispose(),e.material.dispose();this.sprites.clear();for(let e of this.app.robots){if(e.movable)continue;let t=Jl(e.name,_a(e.name));this.sprites.set(e.name,t),this.app.scene.add(t)}}};var ya=class{constructor(e,t,n,s){this.app=e;this.group=t;this.free=n;this.sprite=s}app;group;free;sprite;set visible(e){this.group.visible=e}dispose(){this.app.release(this.group),this.free()}};function Rb(i){let e=i[0],t=Float32Array.from(i.flatMap(n=>n.map((s,r)=>s-e[r])));return new ht().setAttribute("position",new ot(t,3))}function NP(i,e,[t,n,s,r],o){let a=new oa({size:o,sizeAttenuation:!1,transparent:r<1,opacity:r,toneMapped:!1});a.color.setRGB(t,n,s,an);let l=Rb(e),c=i.anchored(e[0]);return c.add(new ji(l,a)),new ya(i,c,()=>(l.dispose(),a.dispose()))}function Vm(i,e,[t,n,s,r]){let o=new oi({transparent:r<1,opacity:r,toneMapped:!1});o.color.setRGB(t,n,s,an);let a=Rb(e),l=i.anchored(e[0]);return l.add(new fs(a,o)),new ya(i,l,()=>(a.dispose(),o.dispose()))}function FP(i,e,t){let n=new ys(i,e.length/2);n.begin(e.length/2,e[0]);for(let s=0;s+1<e.length;s+=2)n.add(e[s],new F(...e[s+1]).sub(new F(...e[s])),t);return n.end(),new ya(i,n.group,()=>n.dispose())}function kP(i,e,t,[n,s,r]){let o=Jl(t,`rgb(${255*n} ${255*s} ${255*r})`),a=i.anchored(e[0]);return a.add(o),new ya(i,a,()=>o.material.dispose(),o)}var od=class{constructor(e){this.app=e;e.events.on("markers",t=>t.forEach(n=>this.take(n))),e.events.on("world",()=>this.clear())}app;drawn=new Map;update(){for(let e of this.drawn.values())e.visible=this.app.layers.markers,e.sprite&&Zl(e.sprite,.024,this.app.camera.fov)}take(e){this.drawn.get(e.id)?.dispose(),this.drawn.delete(e.id);let{app:t}=this,{p:n,colour:s=[1,1,1,1],size:r=4}=e;e.gone||!n?.length||(e.kind==="points"?this.drawn.set(e.id,NP(t,n,s,r)):e.kind==="line"?this.drawn.set(e.id,Vm(t,n,s)):e.kind==="arrows"?this.drawn.set(e.id,FP(t,n,s)):e.kind==="text"&&this.drawn.set(e.id,kP(t,n,e.text??"",s)))}clear(){this.drawn.forEach(e=>e.dispose()),this.drawn.clear()}};var UP=2,Gm="nav_msgs/msg/Path",Ib="nav_msgs/msg/OccupancyGrid",OP=50,BP=2e5,ad=class{constructor(e){this.app=e;e.events.on("layers",t=>t==="plans"&&this.switch(e.layers.plans)),e.events.on("world",()=>this.switch(e.layers.plans)),e.events.on("topics",t=>this.stopTable&&this.match(t))}app;stopTable=null;wanted=new Map;drawn=new Map;switch(e){this.stopTable?.(),this.wanted.forEach(t=>t()),this.wanted.clear(),this.drawn.forEach(t=>t.dispose()),this.drawn.clear(),this.stopTable=e?this.app.topics.wantTable():null}match(e){for(let{topic:t,message_type:n}of e)this.wanted.has(t)||n!==Gm&&n!==Ib||this.wanted.set(t,this.app.topics.want(t,UP,s=>this.take(s)))}take(e){this.drawn.get(e.topic)?.dispose(),this.drawn.delete(e.topic);let t=e.type===Gm?this.path(e):this.map(e);t&&this.drawn.set(e.topic,t)}path(e){let{poses:t}=$t(Gm,e.cdr),n=t.map(({pose:{position:s}})=>[s.x,s.y,s.z]);return n.length>1?Vm(this.app,n,[.35,.85,1,1]):null}map(e){let t=$t(Ib,e.cdr),{resolution:n,width:s,origin:r}=t.info,o=[];if(t.data.forEach((f,y)=>f>=OP&&o.length<BP&&o.push(y)),!o.length)return null;let{position:a,orientation:l}=r,c=this.app.anchored([a.x,a.y,a.z]);c.quaternion.copy(new Lt(l.x,l.y,l.z,l.w));let h=new fi({transparent:!0,opacity:.5,toneMapped:!1,color:new lt(.9,.35,.2)}),u=new zs(new gr(n,n,.5*n),h,o.length),d=new F;o.forEach((f,y)=>{d.set(f%s+.5,Math.floor(f/s)+.5,.25).multiplyScalar(n),u.setMatrixAt(y,new He().setPosition(d))}),c.add(u);let{app:p}=this;return{visible:!0,dispose:()=>{p.release(c),u.geometry.dispose(),u.dispose(),h.dispose()}}}};function X(i,e={},...t){let n=document.createElement(i);for(let[s,r]of Object.entries(e))typeof r=="function"?n.addEventListener(s.slice(2),r):r===!0?n.setAttribute(s,""):r!==void 0&&r!==!1&&n.setAttribute(s,String(r));return n.append(...t.filter(s=>!!s)),n}var zP={play:'<path d="M8 5l11 7-11 7z" fill="currentColor"/>',pause:'<path d="M8 5v14M16 5v14" stroke-width="3"/>',step:'<path d="M5 5l9 7-9 7z" fill="currentColor"/><path d="M18 5v14" stroke-width="3"/>',reset:'<path d="M4 5v5h5M5 15a8 8 0 1 0 1-8l-2 3"/>',snapshot:'<path d="M4 8h3l2-3h6l2 3h3v11H4z"/><circle cx="12" cy="13" r="3.5"/>',save:'<path d="M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6"/>',record:'<circle cx="12" cy="12" r="6" fill="currentColor"/>',stop:'<rect x="6" y="6" width="12" height="12" rx="1.5" fill="currentColor"/>',help:'<path d="M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.5"/><circle cx="12" cy="12" r="9.5"/>',left:'<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M9 4v16"/>',right:'<rect x="3" y="4" width="18" height="16" rx="2"/><path d="M15 4v16"/>',close:'<path d="M6 6l12 12M18 6L6 18"/>',plus:'<path d="M12 5v14M5 12h14"/>',picture:'<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M3 16l5-5 5 5 3-3 5 4"/>',larger:'<path d="M9 4H4v5M15 20h5v-5M4 4l6 6M20 20l-6-6"/>',trash:'<path d="M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13"/>',open:'<path d="M3 6h6l2 2h10v11H3z"/>',pad:'<rect x="2" y="7" width="20" height="11" rx="5"/><path d="M7 10.5v4M5 12.5h4M15.5 11.5v.1M18 14v.1"/>',lamp:'<path d="M9 18h6M10 21h4M8 14a6 6 0 1 1 8 0c-.8.8-1 1.500-1 2H9c0-.5-.2-1.200-1-2z"/>'};function Lb(i){let e=X("span",{class:"icon","aria-hidden":"true"});return e.innerHTML=`<svg viewBox="0 0 24 24">${zP[i]}</svg>`,e}function tt(i,e,t,n=""){let s=X("button",{type:"button",title:e,"aria-label":e,onclick:t},n);return i&&s.prepend(Lb(i)),s}function eo(i,e){i.dataset.icon!==e&&(i.dataset.icon=e,i.querySelector(".icon")?.replaceWith(Lb(e)))}function to(i,e,t,n){let s=X("select",{title:i,"aria-label":i,onchange:()=>(n(s.value),s.blur())},...e.map(([r,o])=>X("option",{value:r,selected:r===t},o)));return s}function ld(i,e,t,n=""){let s=X("input",{type:"checkbox",checked:e,onchange:()=>t(s.checked)});return X("label",{class:"check",title:n},s,X("span",{},i))}function Dt(i,e){i.textContent!==e&&(i.textContent=e)}function ba(i){if(!Number.isFinite(i)||Number.isInteger(i)&&Math.abs(i)<1e9)return String(i);let e=Math.abs(i);return e!==0&&(e<1e-4||e>=1e7)?i.toExponential(3):i.toPrecision(5)}function cd(i){let e=["B","kB","MB","GB"],t=0;for(;i>=1e3&&t<e.length-1;)i/=1e3,t+=1;return`${t===0?Math.round(i):i.toFixed(1)} ${e[t]}`}function bs(i){let e=i<0?"\u2212":"",t=Math.abs(i),n=Math.floor(t/3600),s=Math.floor(t/60)%60,r=(t%60).toFixed(2).padStart(5,"0");return`${e}${n?`${n}:`:""}${String(s).padStart(n?2:1,"0")}:${r}`}function hd(i){return!!i.target?.closest("input:not([type=checkbox]):not([type=range]), textarea, select, dialog, [contenteditable]")}var ud=16,Db=6;function Nb(i){let e=[];return Fb(i,"",0,e),e}function Fb(i,e,t,n){for(let[s,r]of Object.entries(i))kb(e?`${e}.${s}`:s,s,t,r,n)}function kb(i,e,t,n,s){let r={path:i,depth:t,label:e,text:"",numeric:!1};typeof n=="number"?s.push({...r,text:ba(n),numeric:!0}):typeof n=="boolean"?s.push({...r,text:String(n),numeric:!0}):typeof n=="string"?s.push({...r,text:n.length>400?`${n.slice(0,400)} \u2026`:n}):ArrayBuffer.isView(n)?VP(r,n,s):Array.isArray(n)?GP(r,n,s):(s.push(r),Fb(n,i,t+1,s))}function VP(i,e,t){let n=Array.from({length:Math.min(e.length,Db)},(r,o)=>ba(Number(e[o]))),s=e.length>Db?" \u2026":"";if(t.push({...i,text:`${e.length}: ${n.join("  ")}${s}`}),!(e.length>ud||e.length===0))for(let r=0;r<e.length;r++){let o=ba(Number(e[r]));t.push({path:`${i.path}[${r}]`,depth:i.depth+1,label:`[${r}]`,text:o,numeric:!0})}}function GP(i,e,t){t.push({...i,text:`${e.length}`}),e.slice(0,ud).forEach((n,s)=>kb(`${i.path}[${s}]`,`[${s}]`,i.depth+1,n,t)),e.length>ud&&t.push({...i,depth:i.depth+1,label:"\u2026",text:`${e.length-ud} more`})}function Ql(i,e){let t=i;for(let[,n,s]of e.matchAll(/([^.[\]]+)|\[(\d+)\]/g)){if(t===null||typeof t!="object")return;t=t[n??s??""]}return t}function Ub(i,e){let t=Ql(i,e);return typeof t=="number"||typeof t=="boolean"||typeof t=="bigint"?Number(t):NaN}var HP=15,WP=[.3,.85,1],qP=.8,XP=.998;function $P(i,e){let t=Ql(i,e),n=[t?.x,t?.y,t?.z].map(Number);return n.every(Number.isFinite)?n:null}var dd=class{constructor(e,t,n,{topic:s,type:r,path:o}){this.app=e;this.robot=t;this.sensor=n;this.arrows=new ys(e,1),this.stop=e.topics.want(s,HP,a=>{let l=$t(r,a.cdr),c=$P(l,o);this.vector=c&&new F(...c),this.inWorld=l.header?.frame_id==="map",this.vector&&(this.largest=Math.max(this.largest*XP,this.vector.length()))})}app;robot;sensor;arrows;stop;vector=null;largest=1e-6;inWorld=!1;update(){let e=this.app.figures.sensorPose(this.robot,this.sensor);if(e){if(this.arrows.begin(1,e.p_W),this.vector){let t=this.vector.clone().multiplyScalar(qP/this.largest);this.arrows.add(e.p_W,this.inWorld?t:t.applyQuaternion(e.q),WP)}this.arrows.end()}}dispose(){this.stop(),this.arrows.dispose()}};var YP={1:{size:1,read:(i,e)=>i.getInt8(e)},2:{size:1,read:(i,e)=>i.getUint8(e)},3:{size:2,read:(i,e)=>i.getInt16(e,!0)},4:{size:2,read:(i,e)=>i.getUint16(e,!0)},5:{size:4,read:(i,e)=>i.getInt32(e,!0)},6:{size:4,read:(i,e)=>i.getUint32(e,!0)},7:{size:4,read:(i,e)=>i.getFloat32(e,!0)},8:{size:8,read:(i,e)=>i.getFloat64(e,!0)}},KP=({data:i})=>new DataView(i.buffer,i.byteOffset,i.byteLength);function pd(i,e){let t=i.width*i.height;["x","y","z"].forEach((n,s)=>Ob(i,n,e,3,s));for(let n=0;n<3*t;n++)Number.isFinite(e[n])||(e[n]=1e12);return t}function fd(i,e,t){return Ob(i,e,t,1,0)}function Ob(i,e,t,n,s){let r=i.fields.find(h=>h.name===e),o=r&&YP[r.datatype];if(!r||!o)return!1;let a=KP(i),l=i.width*i.height,{read:c}=o;if(r.datatype===7&&(a.byteOffset+r.offset)%4===0&&i.point_step%4===0){let h=new Float32Array(a.buffer,a.byteOffset+r.offset,Math.floor((a.byteLength-r.offset)/4)),u=i.point_step/4;for(let d=0;d<l;d++)t[n*d+s]=h[u*d]}else for(let h=0,u=r.offset;h<l;h++,u+=i.point_step)t[n*h+s]=c(a,u);return!0}var jP=`
vec3 turbo(float x) {
  x = clamp(x, 0.0, 1.0);
  vec4 a = vec4(1.0, x, x * x, x * x * x);
  vec2 b = a.zw * a.z;
  return clamp(vec3(
    dot(a, vec4(0.13572138, 4.61539260, -42.66032258, 132.13108234)) + dot(b, vec2(-152.94239396, 59.28637943)),
    dot(a, vec4(0.09140261, 2.19418839, 4.84296658, -14.18503333)) + dot(b, vec2(4.27729857, 2.82956604)),
    dot(a, vec4(0.10667330, 12.64194608, -60.58204836, 110.36276771)) + dot(b, vec2(-89.90310912, 27.34824973))
  ), 0.0, 1.0);
}
vec3 palette(float n) {
  float hue = fract(n * 0.61803398875);
  return 0.35 + 0.6 * abs(fract(hue + vec3(0.0, 1.0 / 3.0, 2.0 / 3.0)) * 2.0 - 1.0);
}
`,JP=`
attribute float value;
uniform int mode;
uniform vec2 limits;
uniform float size;
varying vec3 vColour;
${jP}
void main() {
  vec4 place = modelMatrix * vec4(position, 1.0);
  float v = mode == 1 ? place.z : value;
  vColour = mode == 2 ? palette(value) : turbo(0.05 + 0.9 * (v - limits.x) / max(limits.y - limits.x, 1e-6));
  gl_Position = projectionMatrix * viewMatrix * place;
  gl_PointSize = clamp(size / gl_Position.w, 1.6, 6.0);
}
`,ZP=`
varying vec3 vColour;
void main() {
  if (length(gl_PointCoord - 0.5) > 0.5) discard;
  gl_FragColor = vec4(vColour, 1.0);
}
`,QP=10,eR=16,md=class{constructor(e,t,n,{topic:s}){this.app=e;this.robot=t;this.sensor=n;this.material=new Xt({uniforms:{mode:{value:0},limits:{value:[0,1]},size:{value:eR*window.devicePixelRatio}},vertexShader:JP,fragmentShader:ZP});let r=new ji(this.geometry,this.material);r.frustumCulled=!1,r.renderOrder=12,this.group=e.anchored(),this.group.add(r),this.stop=e.topics.want(s,QP,o=>this.take(o))}app;robot;sensor;group;geometry=new ht;material;stop;capacity=0;low=NaN;high=NaN;by="";inWorld=!1;update(){}dispose(){this.stop(),this.app.release(this.group),this.geometry.dispose(),this.material.dispose()}take(e){let t=$t("sensor_msgs/msg/PointCloud2",e.cdr);this.inWorld=t.header.frame_id==="map";let n=this.inWorld?null:this.app.figures.sensorPoseAt(this.robot,this.sensor,e.stamp_ns/1e9);if(!this.inWorld&&!n)return;this.app.anchor(this.group,n?n.p_W:[0,0,0]),n&&this.group.quaternion.copy(n.q);let s=t.width*t.height;this.reserve(s);let r=this.geometry.getAttribute("position"),o=this.geometry.getAttribute("value"),a=pd(t,r.array);this.colour(t,o.array,r.array,a),this.geometry.setDrawRange(0,a),r.needsUpdate=o.needsUpdate=!0}reserve(e){e<=this.capacity||(this.capacity=Math.ceil(e*1.2),this.geometry.dispose(),this.geometry.setAttribute("position",new ot(new Float32Array(3*this.capacity),3).setUsage(gi)),this.geometry.setAttribute("value",new ot(new Float32Array(this.capacity),1).setUsage(gi)))}colour(e,t,n,s){let r=this.app.options[`colour:${this.robot.name}/${this.sensor.name}`]??"range";r!==this.by&&(this.low=this.high=NaN),this.by=r;let o=this.material.uniforms,a=r!=="height"&&fd(e,r,t);o.mode.value=r==="height"?1:a&&(r==="label"||r==="instance")?2:0,r==="height"?this.heights(n,s):(a||this.ranges(n,t,s),this.limit(t,s));let l=r==="height"?this.group.position.z:0;o.limits.value=[this.low+l,this.high+l]}ranges(e,t,n){let s=this.inWorld?this.app.figures.sensorPose(this.robot,this.sensor)?.p_W??[0,0,0]:[0,0,0];for(let r=0;r<n;r++)t[r]=Math.hypot(e[3*r]-s[0],e[3*r+1]-s[1],e[3*r+2]-s[2])}heights(e,t){let n=new He().makeRotationFromQuaternion(this.group.quaternion).elements,s=new Float32Array(t);for(let r=0;r<t;r++)s[r]=n[2]*e[3*r]+n[6]*e[3*r+1]+n[10]*e[3*r+2];this.limit(s,t)}limit(e,t){let n=[],s=Math.max(1,Math.floor(t/512));for(let l=0;l<t;l+=s)Number.isFinite(e[l])&&n.push(e[l]);if(!n.length)return;n.sort((l,c)=>l-c);let r=n[Math.floor(.02*(n.length-1))],o=n[Math.floor(.95*(n.length-1))],a=(l,c)=>Number.isNaN(l)?c:l+.15*(c-l);this.low=a(this.low,r),this.high=a(this.high,Math.max(o,r+.001))}};function tR(i){let e=Math.min(Math.max(i,0),1),t=o=>o.reduceRight((a,l)=>a*e+l,0),n=t([.13572138,4.6153926,-42.66032258,132.13108234,-152.94239396,59.28637943]),s=t([.09140261,2.19418839,4.84296658,-14.18503333,4.27729857,2.82956604]),r=t([.1066733,12.64194608,-60.58204836,110.36276771,-89.90310912,27.34824973]);return[n,s,r].map(o=>Math.round(255*Math.min(Math.max(o,0),1)))}var no=(i,e,t)=>255<<24|t<<16|e<<8|i,Bb=Uint32Array.from({length:256},(i,e)=>no(...tR(.04+.92*e/255))),Hm=no(12,14,18);function nR(i){if(i<=0)return Hm;let e=i*.61803398875%1,t=n=>Math.round(255*(.35+.6*Math.abs((e+n)%1*2-1)));return no(t(0),t(1/3),t(2/3))}var zb=new Map;function iR(i){let e=zb.get(i);return e===void 0&&zb.set(i,e=nR(i)),e}function vd(i){let e=i.format.includes("png")?"image/png":"image/jpeg";return createImageBitmap(new Blob([i.data],{type:e}))}function _d(i){let{width:e,height:t,encoding:n}=i,s=new ImageData(e,t),r=new Uint32Array(s.data.buffer),o=sR[n]?.(i,r);return o===void 0?null:{image:s,words:o}}function gd(i,e){let{data:t}=i,n=t.byteOffset,s=t.byteLength>>2;return n%4===0?new e(t.buffer,n,s):new e(t.buffer.slice(n,n+4*s),0,s)}var sR={rgb8:({data:i},e)=>{for(let t=0,n=0;t<e.length;t++,n+=3)e[t]=no(i[n],i[n+1],i[n+2]);return""},bgr8:({data:i},e)=>{for(let t=0,n=0;t<e.length;t++,n+=3)e[t]=no(i[n+2],i[n+1],i[n]);return""},mono8:({data:i},e)=>{for(let t=0;t<e.length;t++)e[t]=no(i[t],i[t],i[t]);return""},"32FC1":(i,e)=>{let t=gd(i,Float32Array),[n,s]=rR(t),r=Math.log(Math.max(n,.001)),o=255/Math.max(Math.log(Math.max(s,.001))-r,1e-6);for(let a=0;a<e.length;a++){let l=t[a],c=255-Math.round((Math.log(Math.max(l,.001))-r)*o);e[a]=Number.isFinite(l)?Bb[Math.min(Math.max(c,0),255)]:Hm}return`${n.toPrecision(3)} \u2013 ${s.toPrecision(3)}`},"32SC1":(i,e)=>{let t=gd(i,Int32Array);for(let n=0;n<e.length;n++)e[n]=iR(t[n]);return""},"32FC3":(i,e)=>{let t=gd(i,Float32Array),n=s=>Math.round(127.5*(Math.min(Math.max(s,-1),1)+1));for(let s=0,r=0;s<e.length;s++,r+=3)e[s]=no(n(t[r]),n(t[r+1]),n(t[r+2]));return""},"32FC2":(i,e)=>{let t=gd(i,Float32Array);for(let n=0,s=0;n<e.length;n++,s+=2){let r=Math.hypot(t[s],t[s+1]);e[n]=Number.isFinite(r)?Bb[Math.min(Math.round(r*12),255)]:Hm}return""}};function rR(i){let e=1/0,t=-1/0;for(let n of i)Number.isFinite(n)&&(n<e&&(e=n),n>t&&(t=n));return e<=t?[e,t]:[0,1]}var oR=10,yd="sensor_msgs/msg/CompressedImage",Vb="sensor_msgs/msg/Image";function ec(i,e){let t=new Set(e.topics.filter(s=>s.type===yd).map(s=>s.topic.replace(/\/compressed$/,""))),n=`/${i.name}/${e.name}/`;return e.topics.filter(s=>s.type===yd||s.type===Vb&&!t.has(s.topic)).map(s=>({topic:s.topic,type:s.type,name:aR(s.topic.slice(n.length))}))}function xd(i,e,t){t.about.enabled===!1&&i.connection.ask({do:"set",path:`robots.${e.name}.sensors.${t.name}.enabled`,value:!0}).catch(n=>i.notice(n.message,"error"))}function aR(i){let e=i.replace(/\/?image_raw(\/compressed)?$/,"");return e===""?"rgb":e==="right"?"rgb right":e.replaceAll("/"," ")}var Wm=class{constructor(e,t,n,s){this.app=e;this.view=t;this.context=this.canvas.getContext("2d");let r=tt("larger","larger or smaller",()=>this.element.classList.toggle("large")),o=X("div",{class:"tools"},X("b",{title:n},n),this.words,X("span",{class:"spring"}),r,tt("close","close",s));this.element=X("figure",{class:"picture panel"},o,this.canvas)}app;view;element;canvas=X("canvas",{width:4,height:3});words=X("span",{class:"dim"});context;stop=null;busy=!1;show(){this.stop??=this.app.topics.want(this.view.topic,oR,e=>{this.take(e)})}hide(){this.stop?.(),this.stop=null}async take(e){if(!this.busy){this.busy=!0;try{e.type===yd?this.put(await vd($t(yd,e.cdr))):this.putRaw(e)}catch(t){Dt(this.words,t.message)}finally{this.busy=!1}}}put(e){this.size(e.width,e.height),this.context.drawImage(e,0,0),e.close()}putRaw(e){let t=$t(Vb,e.cdr),n=_d(t);n&&(this.size(t.width,t.height),this.context.putImageData(n.image,0,0)),Dt(this.words,n?n.words:`cannot show ${t.encoding}`)}size(e,t){this.canvas.width!==e&&(this.canvas.width=e),this.canvas.height!==t&&(this.canvas.height=t)}},bd=class{constructor(e,t){this.app=e;this.changed=t;e.events.on("robots",()=>this.sift())}app;changed;element=X("div",{class:"pictures"});pictures=new Map;seen=!0;isOpen(e){return this.pictures.has(e)}toggle(e,t){if(this.isOpen(e.topic))return this.close(e.topic);let n=new Wm(this.app,e,t,()=>this.close(e.topic));this.pictures.set(e.topic,n),this.element.append(n.element),this.seen&&n.show(),this.changed()}setSeen(e){this.seen=e,this.element.hidden=!e;for(let t of this.pictures.values())e?t.show():t.hide()}close(e){let t=this.pictures.get(e);t?.hide(),t?.element.remove(),this.pictures.delete(e),this.changed()}sift(){let e=new Set(this.app.robots.flatMap(t=>t.sensors.flatMap(n=>ec(t,n).map(s=>s.topic))));for(let t of this.pictures.keys())e.has(t)||this.close(t)}};var lR=8,Gb="sensor_msgs/msg/CompressedImage",cR="sensor_msgs/msg/Image",tc=class{constructor(e,t,n,s){this.app=e;this.robot=t;this.sensor=n;this.group=e.anchored();let[r,o,a]=Kl(t.name),l=new oi({transparent:!0,opacity:.9,toneMapped:!1});l.color.setRGB(r,o,a,an),this.lines=new mi(new ht,l),this.texture.colorSpace=an;let c=new fi({map:this.texture,side:En,toneMapped:!1,transparent:!0,opacity:.95});this.plane=new qt(new Xr(1,1),c),this.plane.visible=!1,this.plane.rotation.set(Math.PI/2,-Math.PI/2,0,"XYZ"),this.group.add(this.lines,this.plane);let h=s?ec(t,n)[0]:void 0;h&&xd(e,t,n),h&&(this.stop=e.topics.want(h.topic,lR,u=>{this.take(u)}))}app;robot;sensor;group;lines;canvas=document.createElement("canvas");texture=new Wr(this.canvas);plane;stop=null;zoom=0;busy=!1;update(){let e=this.app.figures.sensorPose(this.robot,this.sensor),t=this.app.cameras.inside===this.robot.name;if(this.group.visible=e!==null&&!t,!e)return;this.app.anchor(this.group,e.p_W),this.group.quaternion.copy(e.q);let n=this.app.figures.zoom(this.sensor);n!==this.zoom&&this.shape(n)}dispose(){this.stop?.(),this.app.release(this.group),this.lines.geometry.dispose(),this.plane.geometry.dispose(),this.texture.dispose()}shape(e){this.zoom=e;let{fov_deg:t=90,width:n=4,height:s=3}=this.sensor.about,r=Math.tan(Math.min(t,150)*Math.PI/360)/e,o=this.app.figures.figures.get(this.robot.name)?.radius??.3,a=Math.min(1.2+2*o,1.6/r),[l,c]=[a*r,a*r*s/n],h=[[a,l,c],[a,-l,c],[a,-l,-c],[a,l,-c]],u=[];h.forEach((d,p)=>u.push(0,0,0,...d,...d,...h[(p+1)%4])),u.push(a,.2*l,c*1.04,a,0,c*1.2,a,0,c*1.2,a,-.2*l,c*1.04),this.lines.geometry.setAttribute("position",new ot(new Float32Array(u),3)),this.plane.position.x=a,this.plane.scale.set(2*l,2*c,1)}async take(e){if(!this.busy){this.busy=!0;try{if(e.type===Gb){let t=await vd($t(Gb,e.cdr));this.draw(t.width,t.height,n=>n.drawImage(t,0,0)),t.close()}else{let t=_d($t(cR,e.cdr));t&&this.draw(t.image.width,t.image.height,n=>n.putImageData(t.image,0,0))}}finally{this.busy=!1}}}draw(e,t,n){(this.canvas.width!==e||this.canvas.height!==t)&&(this.canvas.width=e,this.canvas.height=t,this.texture.dispose()),n(this.canvas.getContext("2d")),this.texture.needsUpdate=!0,this.plane.visible=!0}};var Hb=15,hR=24,uR=16734780,dR=3989642,pR=.01,wd=class{constructor(e,t,n){this.app=e;this.robot=t;this.sensor=n;this.group=e.anchored(),this.group.visible=!1}app;robot;sensor;group;stop=()=>{};update(){let e=this.app.figures.sensorPose(this.robot,this.sensor);e&&(this.app.anchor(this.group,e.p_W),this.group.quaternion.copy(e.q))}dispose(){this.stop(),this.app.release(this.group),this.group.traverse(e=>{e.geometry?.dispose(),e.material?.dispose()})}},Md=class extends wd{cone;material=new fi({transparent:!0,opacity:.22,depthWrite:!1,side:En,toneMapped:!1,blending:Dl});constructor(e,t,n,{topic:s,type:r}){super(e,t,n);let o=new qr(1,1,hR,1,!0);o.translate(0,-.5,0).rotateZ(Math.PI/2),this.cone=new qt(o,this.material),this.cone.renderOrder=16,this.group.add(this.cone),this.stop=e.topics.want(s,Hb,a=>{let{range:l,max_range:c,field_of_view:h}=$t(r,a.cdr),u=Number.isFinite(l)&&l<c*.999,d=Number.isFinite(l)?Math.min(l,c):c,p=d*Math.tan(Math.min(Math.max(h,pR),3)/2);this.cone.scale.set(d,p,p),this.material.color.set(u?uR:dR),this.group.visible=!0})}},Sd=class extends wd{geometry=new ht;constructor(e,t,n,{topic:s,type:r}){super(e,t,n);let o=new oi({vertexColors:!0,transparent:!0,opacity:.55,depthWrite:!1,toneMapped:!1}),a=new mi(this.geometry,o);a.frustumCulled=!1,a.renderOrder=13,this.group.add(a),this.stop=e.topics.want(s,Hb,l=>{let{ranges:c,angle_min:h,angle_increment:u,range_max:d}=$t(r,l.cdr);this.fill(c,h,u,d),this.group.visible=!0})}fill(e,t,n,s){let r=new Float32Array(6*e.length),o=new Float32Array(6*e.length);e.forEach((a,l)=>{let c=Number.isFinite(a)&&a<s*.999,h=Number.isFinite(a)?Math.min(a,s):s,u=t+l*n;r.set([h*Math.cos(u),h*Math.sin(u),0],6*l+3);let d=c?[1,.25,.15]:[.1,.7,.3];o.set([.05,.35,.15,...d],6*l)}),this.geometry.dispose(),this.geometry.setAttribute("position",new ot(r,3)),this.geometry.setAttribute("color",new ot(o,3))}};var fR=`
attribute float hit;
uniform float size;
varying float vHit;
void main() {
  vHit = hit;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = clamp(size / gl_Position.w, 2.0, 8.0) * step(0.5, hit);
}
`,mR=`
uniform float opacity;
varying float vHit;
void main() {
  vec3 colour = mix(vec3(0.15, 0.85, 0.3), vec3(1.0, 0.2, 0.14), vHit);
  gl_FragColor = vec4(colour, opacity * (vHit > 0.5 ? 2.2 : 1.0));
}
`,gR=10,Ad=class{constructor(e,t,n,{topic:s}){this.app=e;this.robot=t;this.sensor=n;this.group=e.anchored();let r=new mi(this.geometry,this.material(.05)),o=new ji(this.geometry,this.material(1));for(let a of[r,o])a.frustumCulled=!1,a.renderOrder=13,this.group.add(a);this.stop=e.topics.want(s,gR,a=>this.take(a))}app;robot;sensor;group;geometry=new ht;materials=[];stop;ends=new Float32Array(0);hits=new Float32Array(0);update(){}dispose(){this.stop(),this.app.release(this.group),this.geometry.dispose(),this.materials.forEach(e=>e.dispose())}material(e){let t=new Xt({uniforms:{opacity:{value:e},size:{value:40*window.devicePixelRatio}},vertexShader:fR,fragmentShader:mR,transparent:!0,depthWrite:!1});return this.materials.push(t),t}take(e){let t=$t("sensor_msgs/msg/PointCloud2",e.cdr),n=this.app.figures.sensorPoseAt(this.robot,this.sensor,e.stamp_ns/1e9);if(!n)return;let s=t.width*t.height;this.reserve(s),pd(t,this.ends),fd(t,"occupancy",this.hits),this.app.anchor(this.group,n.p_W),this.rays(s,n.p_W,this.axes(n.q)),this.geometry.setDrawRange(0,2*s)}reserve(e){3*e<=this.ends.length||(this.ends=new Float32Array(3*e),this.hits=new Float32Array(e),this.geometry.dispose(),this.geometry.setAttribute("position",new ot(new Float32Array(6*e),3).setUsage(gi)),this.geometry.setAttribute("hit",new ot(new Float32Array(2*e),1).setUsage(gi)))}axes(e){let{align:t,form:n}=this.sensor.about,s=t==="auto"||!t?n==="ground"?"world":"body":t;return s==="world"?new Lt:s==="heading"?new Lt().setFromAxisAngle(new F(0,0,1),Yu(e)):e}rays(e,t,n){let s=this.geometry.getAttribute("position"),r=this.geometry.getAttribute("hit"),o=s.array,a=r.array,l=this.sensor.about.form??"box",c=[0,1,2].map(h=>new F().setComponent(h,1).applyQuaternion(n));for(let h=0;h<e;h++){let[u,d,p]=[this.ends[3*h]-t[0],this.ends[3*h+1]-t[1],this.ends[3*h+2]-t[2]],f=l==="ray"?null:c[l==="ground"?2:Math.floor(3*h/e)],y=f?u*f.x+d*f.y+p*f.z:0;o[6*h]=f?u-y*f.x:0,o[6*h+1]=f?d-y*f.y:0,o[6*h+2]=f?p-y*f.z:0,o[6*h+3]=u,o[6*h+4]=d,o[6*h+5]=p,a[2*h]=0,a[2*h+1]=this.hits[h]>.5?1:0}s.needsUpdate=r.needsUpdate=!0}};var vR=5,_R=.022,yR=60,Ed=class{constructor(e,t,n,{topic:s,type:r,path:o}){this.app=e;this.robot=t;this.sensor=n;this.group=e.anchored(),this.stop=e.topics.want(s,vR,a=>this.write(String(Ql($t(r,a.cdr),o)??"")))}app;robot;sensor;group;stop;sprite=null;words="";update(){let e=this.app.figures.sensorPose(this.robot,this.sensor);e&&(this.app.anchor(this.group,e.p_W),this.sprite&&Zl(this.sprite,_R,this.app.camera.fov))}dispose(){this.stop(),this.erase(),this.app.release(this.group)}write(e){e!==this.words&&(this.words=e,this.erase(),e&&(this.sprite=Jl(e.slice(0,yR),_a(this.robot.name)),this.group.add(this.sprite)))}erase(){this.sprite&&(this.group.remove(this.sprite),this.sprite.material.map?.dispose(),this.sprite.material.dispose(),this.sprite=null)}};var Wb={points:md,rays:Ad,fan:Sd,cone:Md,arrow:dd,text:Ed};function qb(i){return _s(i)||i.topics.some(({view:e})=>Wb[e])}function bR(i,e,t){if(_s(t))return new tc(i,e,t,!0);for(let n of t.topics){let s=Wb[n.view];if(s)return new s(i,e,t,n)}return null}var Td=class{constructor(e){this.app=e;e.events.on("layers",()=>this.match()),e.events.on("robots",()=>{this.clear(),this.match()}),e.events.on("world",()=>this.clear())}app;views=new Map;update(){this.app.figures.motion.ready&&this.views.forEach(e=>e.update())}match(){let{app:e}=this,t=new Map;for(let n of e.robots)for(let s of n.sensors){let r=`${n.name}/${s.name}`;e.layers[r]?t.set(r,()=>bR(e,n,s)):e.layers.frusta&&_s(s)&&t.set(`${r} frustum`,()=>new tc(e,n,s,!1))}for(let[n,s]of this.views)t.has(n)||(s.dispose(),this.views.delete(n));for(let[n,s]of t){let r=this.views.has(n)?null:s();r&&this.views.set(n,r)}}clear(){this.views.forEach(e=>e.dispose()),this.views.clear()}};var xR=400,wR=9,MR=3,Cd=4,SR=4,AR=.35,ER=3,Pd=class{constructor(e){this.app=e}app;arrows=null;asked=0;busy=!1;update(e){let{app:t}=this;if(!t.layers.wind){this.arrows?.dispose(),this.arrows=null;return}this.busy||e-this.asked<xR||!t.connection.open||(this.asked=e,this.ask(t.figures.place(t.selected)??t.cameras.p_W))}async ask(e){this.busy=!0;let t=TR(e);try{let{v:n}=await this.app.connection.ask({do:"wind",p:t});this.app.layers.wind&&this.show(t,n)}catch(n){this.app.layers.wind=!1,this.app.notice(`no wind: ${n.message}`,"warning")}finally{this.busy=!1}}show(e,t){this.arrows??=new ys(this.app,e.length),this.arrows.begin(e.length,e[0]),e.forEach((n,s)=>{let r=new F(...t[s]),o=CR(r.z);this.arrows?.add(n,r.multiplyScalar(AR).clampLength(0,ER),o)}),this.arrows.end()}};function TR(i){let e=(a,l)=>Math.round(a/l)*l,[t,n,s]=[e(i[0],Cd),e(i[1],Cd),e(i[2],1)],r=[],o=(wR-1)/2;for(let a=0;a<MR;a++)for(let l=-o;l<=o;l++)for(let c=-o;c<=o;c++)r.push([t+Cd*l,n+Cd*c,s+SR*a]);return r}function CR(i){let e=Math.max(-1,Math.min(1,i/2));return e>0?[1,.92-.45*e,.85-.7*e]:[.85+.6*e,.92+.3*e,1]}var PR={f4:Float32Array,f8:Float64Array,u1:Uint8Array,i1:Int8Array,u2:Uint16Array,i2:Int16Array,u4:Uint32Array,i4:Int32Array},RR=new TextDecoder;function Xb(i){let e=new DataView(i).getUint32(0,!0),t=JSON.parse(RR.decode(new Uint8Array(i,4,e))),n=Math.ceil((4+e)/8)*8,s={},r={};for(let[o,[a,l,c]]of Object.entries(t.arrays??{})){let h=l.reduce((u,d)=>u*d,1);s[o]=new PR[a](i,n+c,h),r[o]=l}return{header:t,arrays:s,shapes:r}}var Rd=class{constructor(e){this.connection=e}connection;wishes=new Map;tables=0;pending=!1;want(e,t,n){let s={rate:t,listener:n},r=this.wishes.get(e);return r||this.wishes.set(e,r=new Set),r.add(s),this.tell(),()=>{r.delete(s),!r.size&&this.wishes.get(e)===r&&this.wishes.delete(e),this.tell()}}wantTable(){this.tables+=1,this.tell();let e=!0;return()=>{e&&(this.tables-=1),e=!1,this.tell()}}deliver(e){for(let t of this.wishes.get(e.topic)??[])t.listener(e)}tell(){this.pending||(this.pending=!0,queueMicrotask(()=>{this.pending=!1;let e=[...this.wishes].map(([t,n])=>({topic:t,rate:Math.max(...[...n].map(s=>s.rate))}));this.connection.tell({do:"want",topics:e,table:this.tables>0})}))}};var qm=500,IR=8e3,LR=20,DR=500,NR={4400:"this page is of another version than the server: reload it",4401:"this page does not have the token of this run: open the address that it printed, with its #k=\u2026 part",4429:"too many wrong tokens came from this address: open the address that the run printed, with its #k=\u2026 part"},FR={4408:"this page was too slow to say hello",4503:"as many pages are open as the server takes"},$b=new Set(["set","play","pause","speed","place","seek","properties","scenarios"]),kR={topics:"rows",events:"events",markers:"markers"},Id=class{constructor(e,t,n){this.events=e;this.url=t;this.token=n}events;url;token;topics=new Rd(this);socket=null;asked=new Map;again=[];next=1;wait=qm;timer=0;closed=!1;greeted=!1;held=[];reported=null;said;tried=new Promise(e=>this.said=e);get open(){return this.greeted}received={bytes:0,frames:0};start(){this.closed=!1,this.report("connecting","connecting \u2026",null);let e=new WebSocket(this.url);e.binaryType="arraybuffer",this.socket=e,e.onopen=()=>{this.tell({do:"hello",token:this.token,version:1}),this.said()},this.awaitWelcome(e,LR),e.onmessage=t=>this.take(t.data),e.onclose=t=>{this.socket===e&&this.lost(t)}}release(){let e=this.held??[];this.held=null,this.reported&&this.events.emit("connection",this.reported),e.forEach(t=>this.hand(t))}renew(e){e!==this.token&&(this.token=e,this.socket?.close(),this.retry())}stop(){this.closed=!0,clearTimeout(this.timer),this.socket?.close()}retry(){this.socket&&this.socket.readyState<=WebSocket.OPEN||(clearTimeout(this.timer),this.wait=qm,this.start())}tell(e){this.socket?.readyState===WebSocket.OPEN&&(e.do!=="hello"&&!this.greeted||this.socket.send(JSON.stringify({id:this.next++,...e})))}ask(e){let t=this.reported?.state==="lost"||this.reported?.state==="connecting";return!this.greeted&&!(t&&$b.has(e.do))?Promise.reject(new Error("not connected")):new Promise((n,s)=>{let r={message:e,resolve:n,reject:s};this.greeted?this.send(r):this.again.push(r)})}send(e){let t=this.next++;this.asked.set(t,e),this.socket?.send(JSON.stringify({id:t,...e.message}))}awaitWelcome(e,t){window.setTimeout(()=>{this.socket!==e||this.greeted||this.held?.length||(t>0?this.awaitWelcome(e,t-1):e.close())},DR)}take(e){this.received.frames+=1,this.received.bytes+=typeof e=="string"?e.length:e.byteLength,this.held?this.held.push(e):this.hand(e)}hand(e){typeof e=="string"?this.takeJson(JSON.parse(e)):this.takeFrame(Xb(e))}takeJson(e){if(e.kind==="reply")return this.answer(e);e.kind==="welcome"&&(this.greeted=!0,this.wait=qm,this.report("open","connected",null),this.again.splice(0).forEach(s=>this.send(s)));let t=kR[e.kind],n=t?e[t]??[]:e;this.events.emit(e.kind,n),e.kind==="welcome"&&e.scenario&&this.topics.tell()}takeFrame(e){if(e.header.kind==="topic"){let t=e.header;this.topics.deliver({...t,cdr:e.arrays.cdr})}else this.events.emit(e.header.kind,e)}answer(e){let t=this.asked.get(e.id??-1);if(!t){e.error&&this.events.emit("notice",{level:"error",text:e.error});return}this.asked.delete(e.id),e.error!==void 0?t.reject(new Error(e.error)):t.resolve(e.result)}lost(e){this.greeted=!1;let t=NR[e.code];for(let s of this.asked.values())$b.has(s.message.do)?this.again.push(s):s.reject(new Error("the connection was lost"));if(this.asked.clear(),(this.closed||t)&&this.again.splice(0).forEach(s=>s.reject(new Error("the connection was lost"))),this.closed)return;if(this.said(),t)return this.report("refused",t,null);let n=this.wait*(.8+.4*Math.random());this.wait=Math.min(2*this.wait,IR),this.report("lost",FR[e.code]??"connection lost",Date.now()+n),this.timer=window.setTimeout(()=>this.start(),n)}report(e,t,n){this.reported={state:e,text:t,retryAt:n},this.events.emit("connection",this.reported)}};var Mr=0,$m=5,nc=i=>i===Mr?0:9+i,UR=8,OR=new ht,Xm=class{constructor(e,t,n,s){this.scene=e;this.pass=s;t.solid&&this.add(t.solid,n.solid),t.clear&&s===Mr&&this.add(t.clear,n.clear),this.array=this.grow(UR)}scene;pass;count=0;array;meshes=[];add(e,t){let n=new zs(e,t,0);n.frustumCulled=!1,n.matrixAutoUpdate=!1,n.matrixWorldAutoUpdate=!1,n.visible=!1,n.layers.set(nc(this.pass)),this.scene.add(n),this.meshes.push(n)}grow(e){let t=new Float32Array(16*e);this.array&&t.set(this.array);let n=new mr(t,16);n.setUsage(gi);for(let s of this.meshes)s.dispose(),s.instanceMatrix=n;return t}next(){return 16*this.count>=this.array.length&&(this.array=this.grow(2*(this.array.length/16))),16*this.count++}show(){for(let e of this.meshes){e.visible=this.count>0,e.count=this.count;let{instanceMatrix:t}=e;this.count&&(t.clearUpdateRanges(),t.addUpdateRange(0,16*this.count),t.needsUpdate=!0)}}dispose(){for(let e of this.meshes)this.scene.remove(e),e.dispose(),e.geometry=OR}},Ld=class{constructor(e,t,n){this.scene=e;this.pieces=t;this.materials=n}scene;pieces;materials;passes=new Array($m).fill(null);drawn(e){return this.passes[e]??=new Xm(this.scene,this.pieces,this.materials,e)}reset(e){let t=this.passes[e];t&&(t.count=0)}dispose(){this.passes.forEach(e=>e?.dispose()),this.pieces.solid?.dispose(),this.pieces.clear?.dispose()}},Dd=class{constructor(e){this.id=e}id;levels=[];middle=new Float32Array(3);radius=0;slim=1;finest=null;uses=0;put(e,t){this.levels[e]?.dispose(),this.levels[e]=t;let[n,s]=t.pieces.bounds;for(let l=0;l<3;l++)this.middle[l]=(n[l]+s[l])/2;let[r,o,a]=[0,1,2].map(l=>Math.max(s[l]-n[l],.02)/2);this.radius=Math.hypot(r,o,a),this.slim=Math.cbrt(r*o*a)/this.radius,this.finest=this.levels.find(l=>l!==void 0)??null}get ready(){return this.finest!==null}levelFor(e){let t=-1;for(let n=0;n<this.levels.length&&!(this.levels[n]&&(t=n,this.levels[n].pieces.triangles<=e));n++);return t}get nearTriangles(){let e=this.levels[1]??this.finest;return e?e.pieces.triangles:0}dispose(){for(let e of this.levels)e?.dispose();this.levels.length=0,this.finest=null}};function Yb(i,e,t){let n=[];if(i.solid&&n.push(new qt(i.solid,e)),i.clear){let s=new qt(i.clear,t);s.userData.seeOnly=!0,n.push(s)}return n}var Ym=class{constructor(e,t,n){this.mesh=e;this.bones=t;this.bodies=n}mesh;bones;bodies;bend(e){this.bones.forEach((t,n)=>t.matrixWorld.copy(e[this.bodies[n]].matrix)),this.mesh.skeleton.update()}};function Kb(i,e,t){if(!i.solid||!i.skin)throw new Error("a skin's mesh came without bones");let{bones:n,weights:s,X_BR_bind:r}=i.skin,o=i.solid.clone();o.setAttribute("skinIndex",new Gr(Uint16Array.from(n),4)),o.setAttribute("skinWeight",new en(Float32Array.from(s,h=>h/255),4));let a=e.map((h,u)=>{let d=r.subarray(12*u,12*u+12);return new He().set(d[0],d[1],d[2],d[3],d[4],d[5],d[6],d[7],d[8],d[9],d[10],d[11],0,0,0,1)}),l=e.map(()=>{let h=new ra;return h.matrixAutoUpdate=!1,h.matrixWorldAutoUpdate=!1,h}),c=new Ml(o,t);return c.bindMode="detached",c.bind(new Sl(l,a),new He),c.frustumCulled=!1,new Ym(c,l,e)}var Nd=class{p=new Float64Array(0);q=new Float32Array(0);aim=new Float32Array(0);time=0;rate=1;snapshots=[];take(e,t){let{p:n,q:s,aim:r}=e.arrays,o=e.header.now_ns/1e9,a=this.snapshots[this.snapshots.length-1];a&&(o<a.time||o-a.time>1.5+3*this.rate)||a&&a.p.length!==n.length?this.clear():a&&o===a.time&&this.snapshots.pop(),this.snapshots.push({time:o,wall:t,p:n,q:s,aim:r??null}),this.snapshots.length>12&&this.snapshots.shift(),this.measureRate(),this.snapshots.length===1&&(this.time=o)}clear(){this.snapshots.length=0}get ready(){return this.snapshots.length>0}measureRate(){let e=this.snapshots[0],t=this.snapshots[this.snapshots.length-1];t.wall-e.wall>.05&&(this.rate=Math.max(0,(t.time-e.time)/(t.wall-e.wall)))}advance(e,t){let n=this.snapshots[this.snapshots.length-1];if(!n)return;let s=Math.min(e-n.wall,.08+.1),r=n.time+(s-.08)*this.rate,o=this.time+t*this.rate,a=r-o,l=Math.abs(a)>.5*Math.max(this.rate,.2);this.time=l?r:Math.max(this.time,o+a*Math.min(1,4*t)),this.time=Math.min(this.time,n.time+.1*this.rate),this.interpolate(this.time)}at(e,t){if(!this.ready)return null;this.interpolate(e);let n=t();return this.interpolate(this.time),n}interpolate(e){let{snapshots:t}=this,n=t.length-1;for(;n>0&&t[n-1].time>e;)n--;let s=t[n],r=t[Math.max(n-1,0)],o=s.time-r.time,a=o>0?Math.max(0,(e-r.time)/o):1;this.p.length!==s.p.length&&(this.p=new Float64Array(s.p.length),this.q=new Float32Array(s.q.length));for(let l=0;l<s.p.length;l++)this.p[l]=r.p[l]+(s.p[l]-r.p[l])*a;for(let l=0;l<s.q.length;l+=4)BR(this.q,r.q,s.q,l,a);s.aim&&(this.aim=s.aim)}};function BR(i,e,t,n,s){let o=e[n]*t[n]+e[n+1]*t[n+1]+e[n+2]*t[n+2]+e[n+3]*t[n+3]<0?-1:1,a=0;for(let l=n;l<n+4;l++)i[l]=e[l]+(o*t[l]-e[l])*s,a+=i[l]*i[l];a=Math.sqrt(a)||1;for(let l=n;l<n+4;l++)i[l]/=a}var zR=`
varying vec2 vAt;
void main() {
  vAt = uv - 0.5;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`,VR=`
uniform float turn;
uniform float amount;
varying vec2 vAt;
void main() {
  float r = 2.0 * length(vAt);
  float angle = atan(vAt.y, vAt.x) - turn;
  float blade = pow(abs(cos(angle)), 6.0);
  float rim = smoothstep(1.0, 0.96, r) * smoothstep(0.06, 0.14, r);
  float edge = smoothstep(0.86, 0.97, r) * 0.25;
  gl_FragColor = vec4(vec3(0.08), amount * rim * (0.10 + 0.30 * blade + edge));
}
`,GR=2.3,Fd=class{constructor(e){this.figure=e;for(let{body:t,radius:n,spin:s}of e.robot.rotors??[]){let r=new Xt({uniforms:{turn:{value:0},amount:{value:0}},vertexShader:zR,fragmentShader:VR,transparent:!0,depthWrite:!1,side:En}),o=new qt(new Cl(n,40),r);o.position.z=.004,o.renderOrder=20,o.userData.seeOnly=!0,e.bodies[t].add(o),this.discs.push({material:r,spin:s})}}figure;discs=[];turn=0;amount=0;place={x:NaN,z:NaN};update(e,t,n){let{position:s}=this.figure.bodies[0],r=t>.003||s.x!==this.place.x||s.z!==this.place.z;this.place.x=s.x,this.place.z=s.z;let o=r||n&&this.amount>.5?1:0;this.amount+=(o-this.amount)*Math.min(1,3*e),n||(this.turn+=2*Math.PI*GR*e);for(let{material:a,spin:l}of this.discs)a.uniforms.turn.value=this.turn*l,a.uniforms.amount.value=this.amount}};var HR=[.02,.09,.13],WR=[.02,.04,.05],Km=class{constructor(e,t){this.robot=e;this.material=t;for(let n=0;n<e.bodies.length;n++){let s=new Ai;this.bodies.push(s),this.group.add(s)}this.missing=[...e.shapes.map(({body:n,mesh:s})=>({body:n,mesh:s,bones:null})),...e.skins.map(({mesh:n,bones:s})=>({body:0,mesh:n,bones:s}))]}robot;material;group=new Ai;bodies=[];skins=[];rotors=null;radius=.3;missing},kd=class{constructor(e,t){this.app=e;this.world=t;this.root=new Ai,e.scene.add(this.root),e.events.on("robots",({version:n,robots:s})=>this.set(n,s)),e.events.on("poses",n=>this.take(n)),e.events.on("world",()=>this.set(-1,[]))}app;world;figures=new Map;motion=new Nd;velocity=new Float32Array(0);hovered=null;version=-1;root;place(e){let t=this.app.robot(e),{p:n}=this.motion;return!t||n.length<3*(t.first+1)?null:[n[3*t.first],n[3*t.first+1],n[3*t.first+2]]}attitude(e){let t=this.app.robot(e);return t&&this.motion.q.length>=4*(t.first+1)?this.quaternion(t.first):null}sensorPose(e,t){let n=e.first+t.body,{p:s,aim:r}=this.motion;if(s.length<3*(n+1))return null;let o=this.quaternion(n),a=t.X_BS,l=new F(a[3],a[7],a[11]).applyQuaternion(o),c=new He().set(a[0],a[1],a[2],0,a[4],a[5],a[6],0,a[8],a[9],a[10],0,0,0,0,1);return o.multiply(new Lt().setFromRotationMatrix(c)),t.aim!==void 0&&r.length>=3*(t.aim+1)&&(o.multiply(new Lt().setFromAxisAngle(new F(0,0,1),r[3*t.aim])),o.multiply(new Lt().setFromAxisAngle(new F(0,1,0),-r[3*t.aim+1]))),{p_W:[s[3*n]+l.x,s[3*n+1]+l.y,s[3*n+2]+l.z],q:o}}sensorPoseAt(e,t,n){return this.motion.at(n,()=>this.sensorPose(e,t))}zoom(e){return e.aim===void 0?1:this.motion.aim[3*e.aim+2]||1}update(e,t){this.motion.advance(e,t);let n=0;for(let s of this.figures.values()){s.missing.length&&this.complete(s),this.move(s),s.rotors?.update(t,this.speed(n),this.app.state?.paused??!1);let{name:r}=s.robot;s.material.uniforms.highlight.value=r===this.hovered?WR:r===this.app.selected&&this.figures.size>1?HR:[0,0,0],n+=1}}pick(e,t){let n=null,s=new F;for(let{robot:r,bodies:o,radius:a}of this.figures.values()){s.copy(o[0].position).sub(e);let l=s.dot(t),c=Math.max(a,.012*l);l>0&&s.lengthSq()-l*l<c*c&&(!n||l<n.away)&&(n={name:r.name,away:l})}return n}speed(e){let t=this.velocity;return t.length>=3*(e+1)?Math.hypot(t[3*e],t[3*e+1],t[3*e+2]):0}quaternion(e){let{q:t}=this.motion;return new Lt(t[4*e+1],t[4*e+2],t[4*e+3],t[4*e])}take(e){e.header.version===this.version&&(this.motion.take(e,performance.now()/1e3),this.velocity=e.arrays.velocity??this.velocity)}set(e,t){this.version=e,this.motion.clear();for(let n of this.figures.values())this.root.remove(n.group),this.world.surfaces.release(n.material);this.figures.clear();for(let n of t){let s=new Km(n,this.world.surfaces.forMoving());this.figures.set(n.name,s),this.root.add(s.group)}}complete(e){e.missing=e.missing.filter(({body:t,mesh:n,bones:s})=>{let r=this.world.chunks.mesh(n);if(!r)return!0;if(s){let l=Kb(r,s,e.material);e.skins.push(l),e.group.add(l.mesh)}else Yb(r,e.material,this.world.surfaces.clear).forEach(l=>e.bodies[t].add(l));let[o,a]=r.bounds;return e.radius=Math.max(e.radius,.6*Math.hypot(a[0]-o[0],a[1]-o[1],a[2]-o[2])),!1}),!e.missing.length&&e.robot.rotors?.length&&(e.rotors=new Fd(e)),e.group.traverse(t=>{for(let n=0;n<$m;n++)t.userData.seeOnly||t.layers.enable(nc(n))})}move(e){let{p:t,q:n}=this.motion,{origin:s}=this.app;for(let r=0;r<e.bodies.length;r++){let o=e.robot.first+r;if(t.length<3*(o+1))return;let a=e.bodies[r];a.position.set(t[3*o]-s[0],t[3*o+1]-s[1],t[3*o+2]-s[2]),a.quaternion.set(n[4*o+1],n[4*o+2],n[4*o+3],n[4*o]),e.skins.length&&a.updateMatrix()}for(let r of e.skins)r.bend(e.bodies)}};var qR=60,Ud=1200,XR=.05,$R=8,YR=`
attribute float time;
uniform float now;
varying float vFade;
void main() {
  vFade = clamp(1.0 - (now - time) / ${qR.toFixed(1)}, 0.0, 1.0);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`,KR=`
uniform vec3 colour;
varying float vFade;
void main() { gl_FragColor = vec4(colour, 0.85 * vFade * vFade); }
`,jm=class{constructor(e,t,n){this.app=e;this.start=n;this.geometry.setAttribute("position",new ot(this.positions,3).setUsage(gi)),this.geometry.setAttribute("time",new ot(this.times,1).setUsage(gi)),this.material=new Xt({uniforms:{now:{value:0},colour:{value:Kl(t)}},vertexShader:YR,fragmentShader:KR,transparent:!0,depthWrite:!1});let s=new fs(this.geometry,this.material);s.frustumCulled=!1,s.renderOrder=15,this.group=e.anchored(n),this.group.add(s)}app;start;positions=new Float32Array(3*Ud);times=new Float32Array(Ud);geometry=new ht;material;count=0;group;last=null;ended(e,t){let n=Math.hypot(e[0]-this.start[0],e[1]-this.start[1],e[2]-this.start[2])>2e4,s=this.last,r=s!==null&&Math.hypot(e[0]-s[0],e[1]-s[1],e[2]-s[2])>$R;return n||r||this.count>0&&t<this.times[this.count-1]-.01}add(e,t){this.material.uniforms.now.value=t;let n=this.last;if(!(n&&Math.hypot(e[0]-n[0],e[1]-n[1],e[2]-n[2])<XR)){this.count===Ud&&this.forgetHalf();for(let s=0;s<3;s++)this.positions[3*this.count+s]=e[s]-this.start[s];this.times[this.count++]=t,this.last=e,this.geometry.setDrawRange(0,this.count);for(let s of Object.values(this.geometry.attributes))s.needsUpdate=!0}}forgetHalf(){let e=Ud/2;this.positions.copyWithin(0,3*e),this.times.copyWithin(0,e),this.count-=e}set visible(e){this.group.visible=e}dispose(){this.app.release(this.group),this.geometry.dispose(),this.material.dispose()}},Od=class{constructor(e){this.app=e;e.events.on("robots",()=>this.clear()),e.events.on("world",()=>this.clear())}app;trails=new Map;update(){let{figures:e,layers:t,robots:n}=this.app,{time:s}=e.motion;for(let r of n){let o=r.movable?null:e.place(r.name);if(!o)continue;let a=this.trails.get(r.name);a?.ended(o,s)&&(a.dispose(),a=void 0),a||this.trails.set(r.name,a=new jm(this.app,r.name,o)),a.visible=t.trails,a.add(o,s)}}clear(){this.trails.forEach(e=>e.dispose()),this.trails.clear()}};var Bd={forward:0,left:0,up:0,turn:0,pan:0,tilt:0,zoom:0,faster:!1};function zd(i){return i.forward!==0||i.left!==0||i.up!==0||i.turn!==0}function jb(i){return i.pan!==0||i.tilt!==0||i.zoom!==0}function Jb(i,e){let t=(n,s)=>Math.min(Math.max(n+s,-1),1);return{forward:t(i.forward,e.forward),left:t(i.left,e.left),up:t(i.up,e.up),turn:t(i.turn,e.turn),pan:t(i.pan,e.pan),tilt:t(i.tilt,e.tilt),zoom:t(i.zoom,e.zoom),faster:i.faster||e.faster}}var jR={level:3,up:1.5,turn:.9},JR={level:.8,up:0,turn:.8},ZR=2.5,QR=2,xa=class{constructor(e,t){this.app=e;this.placeOf=t}app;placeOf;moving=null;static takes(e){return e.commands.includes("body_velocity")||e.commands.includes("velocity")}drive(e,t){if(!zd(t)){this.moving===e.name&&this.stop(e);return}this.moving=e.name;let n=e.drives,s=n?JR:jR,r=t.faster?ZR:1,o=n?0:t.left,a=n?Math.min(Math.max(t.turn+t.left,-1),1):t.turn,l=[t.forward*s.level*r,o*s.level*r,t.up*s.up*r];this.tell(e,l,a*s.turn*Math.min(r,2))}stop(e){this.moving=null,this.tell(e,[0,0,0],0)}isMoving(e){return this.moving===e.name}sendTo(e,t){if(!e.commands.includes("pose")){this.app.notice(`${e.name} takes no waypoints; it takes ${e.commands.join(", ")||"no commands"}`,"warning");return}let n=this.placeOf(e),s=e.drives?t[2]:Math.max(n?.p[2]??0,t[2]+QR),r=[t[0],t[1],s];this.command(e,["pose",{p_WB:r}]),this.app.notice(`${e.name} goes to ${r.map(o=>o.toFixed(1)).join(", ")} m`)}tell(e,t,n){if(e.commands.includes("body_velocity")){this.command(e,["body_velocity",{v_B:t,yaw_rate:n}]);return}let s=this.placeOf(e)?.yaw??0,[r,o]=[Math.cos(s),Math.sin(s)];this.command(e,["velocity",{v_W:[r*t[0]-o*t[1],o*t[0]+r*t[1],t[2]],yaw_rate:n}])}command(e,t){this.app.connection.ask({do:"command",robot:e.name,command:t}).catch(n=>this.app.notice(n.message,"error"))}};var e2=60,t2=1.2,Vd=class{constructor(e){this.app=e;e.events.on("poses",t=>this.aims=t.arrays.aim??null),e.events.on("welcome",()=>this.zooms.clear())}app;zooms=new Map;aims=null;move(e,t,n){let s=this.aimed(e);if(!s)return;let[r,o]=[Zr(s,"aim"),Zr(s,"zoom")],a=e2*n/Math.max(this.zoomOf(e,s),1);if(r&&(t.pan||t.tilt)&&this.operate(e,s,r.name,{pan_deg:t.pan*a,tilt_deg:t.tilt*a,relative:!0}),o&&t.zoom){let l=Math.min(Math.max(this.zoomOf(e,s)*Math.exp(t.zoom*t2*n),1),20);this.zooms.set(`${e.name}/${s.name}`,l),this.operate(e,s,o.name,[l])}}toggleLamps(e){let t=e.sensors.filter(n=>Zr(n,"switch"));t.length||this.app.notice(`${e.name} has nothing to switch`);for(let n of t)this.operate(e,n,Zr(n,"switch").name,[])}aimed(e){let t=e.sensors.filter(s=>Zr(s,"aim")??Zr(s,"zoom")),n=this.app.cameras?.mode==="sensor"?this.app.cameras.sensor:null;return t.find(s=>s.name===n)??t.find(_s)??t[0]}zoomOf(e,t){let n=t.aim===void 0?void 0:this.aims?.[3*t.aim+2];return this.zooms.get(`${e.name}/${t.name}`)??n??1}operate(e,t,n,s){this.app.connection.ask({do:"operate",robot:e.name,sensor:t.name,control:n,arguments:s}).catch(r=>this.app.notice(r.message,"error"))}};var Zb={KeyW:["forward",1],ArrowUp:["forward",1],KeyS:["forward",-1],ArrowDown:["forward",-1],KeyA:["left",1],ArrowLeft:["left",1],KeyD:["left",-1],ArrowRight:["left",-1],KeyR:["up",1],KeyF:["up",-1],KeyQ:["turn",1],KeyE:["turn",-1],KeyJ:["pan",1],KeyL:["pan",-1],KeyI:["tilt",1],KeyK:["tilt",-1],KeyU:["zoom",1],KeyO:["zoom",-1]};function Qb(i){return i in Zb}var Gd=class{held=new Set;shift=!1;press(e){this.held.add(e.code),this.shift=e.shiftKey}release(e){return this.shift=e.shiftKey,this.held.delete(e.code)}clear(){this.held.clear(),this.shift=!1}axes(){let e={...Bd,faster:this.shift};for(let t of this.held){let[n,s]=Zb[t];e[n]=Math.min(Math.max(e[n]+s,-1),1)}return e}};var ex=.12,Sr={A:0,B:1,leftShoulder:4,rightShoulder:5,rightTrigger:7,start:9,up:12,down:13,left:14,right:15};function Hd(i){let e=(Math.abs(i)-ex)/(1-ex);if(!(e>0))return 0;let t=Math.min(e,1);return Math.sign(i)*(.4*t+.6*t**3)}var Wd=class{down=new Map;get pad(){return navigator.getGamepads?.().find(e=>e?.connected&&e.mapping==="standard")??null}axes(){let{pad:e}=this;if(!e)return Bd;let t=n=>e.buttons[n]?.pressed?1:0;return{forward:-Hd(e.axes[1]??0),left:-Hd(e.axes[0]??0),turn:-Hd(e.axes[2]??0),up:-Hd(e.axes[3]??0),pan:t(Sr.left)-t(Sr.right),tilt:t(Sr.up)-t(Sr.down),zoom:t(Sr.rightShoulder)-t(Sr.leftShoulder),faster:(e.buttons[Sr.rightTrigger]?.value??0)>.3}}pressed(){let{pad:e}=this,t=[];for(let n of["A","B","start"]){let s=!!e?.buttons[Sr[n]]?.pressed;s&&!this.down.get(n)&&t.push(n),this.down.set(n,s)}return t}rumble(e){let t=Math.min(Math.max(e,0),1);this.pad?.vibrationActuator?.playEffect?.("dual-rumble",{duration:140,strongMagnitude:t,weakMagnitude:Math.min(1,.3+t)}).catch(()=>{})}};var Jm=20,n2=.02,i2=2,s2=.3,r2=10,o2=100,qd=class{constructor(e){this.app=e;this.driver=new xa(e,t=>this.placeOf(t)),this.gimbal=new Vd(e),this.take=tt("pad","fly or drive the selected robot by keys or gamepad (T)",()=>this.toggle(),"take control"),this.take.classList.add("wide"),this.note.append(X("b"),X("span",{},"T lets go \xB7 Space stops \xB7 H all keys")),this.listen(),this.update()}app;note=X("div",{class:"under-control",hidden:!0});take;keys=new Gd;pad=new Wd;driver;gimbal;robot=null;poses=null;usual=null;timer=0;hummed=0;toggle(){this.robot?this.release():this.seize()}seize(){if(this.app.welcome?.mode==="replay")return this.app.notice("robots of a recording cannot be steered","warning"),!1;let e=this.app.robot(this.app.selected);return!e||!xa.takes(e)?(this.app.notice(e?`${e.name} takes no velocities`:"select a robot first","warning"),!1):(this.robot=e,this.usual=null,this.update(),!0)}release(){this.rest(),this.robot=null,this.update()}rest(){this.keys.clear(),this.robot&&this.driver.isMoving(this.robot)&&this.driver.stop(this.robot)}update(){this.app.controlling=this.robot!==null,this.note.hidden=this.robot===null,Dt(this.note.firstElementChild,this.robot?`${this.robot.name} is under your control`:""),this.take.lastChild.textContent=this.robot?`release ${this.robot.name}`:"take control",this.take.classList.toggle("on",this.robot!==null),this.take.hidden=this.app.welcome?.mode==="replay",window.clearInterval(this.timer),this.robot&&(this.timer=window.setInterval(()=>this.tick(),1e3/Jm))}listen(){let{events:e}=this.app;e.on("welcome",()=>this.update()),window.addEventListener("keydown",t=>this.press(t),{capture:!0}),window.addEventListener("keyup",t=>this.keys.release(t),{capture:!0}),window.addEventListener("blur",()=>this.rest()),document.addEventListener("visibilitychange",()=>document.hidden&&this.rest()),window.addEventListener("gamepadconnected",()=>this.watchPad()),e.on("selected",t=>this.robot&&this.robot.name!==t&&this.release()),e.on("connection",({state:t})=>t!=="open"&&this.robot&&this.release()),e.on("robots",()=>{if(!this.robot)return;let t=this.app.robot(this.robot.name);t?this.robot=t:this.release()}),e.on("poses",t=>{this.poses=t,this.robot&&this.feel(t)}),e.on("waypoint",({p:t})=>this.waypoint(t))}press(e){if(hd(e)||e.ctrlKey||e.metaKey||e.altKey)return;let{code:t}=e;if(Qb(t)){if(!this.robot&&!this.mayBegin(e))return;this.keys.press(e),e.repeat||this.tick()}else if(t==="KeyT")e.repeat||this.toggle();else if(t==="Space"&&this.robot)this.halt();else if(t==="KeyB"&&this.app.selected){let n=this.robot??this.app.robot(this.app.selected);n&&!e.repeat&&this.gimbal.toggleLamps(n)}else return;e.preventDefault(),e.stopImmediatePropagation()}mayBegin(e){let t=!!e.target?.closest?.("#ui"),n=this.app.robot(this.app.selected);return!n||e.repeat||this.app.cameras?.mode==="free"||t&&e.key.startsWith("Arrow")?!1:this.app.welcome?.mode==="live"&&xa.takes(n)&&this.seize()}halt(){this.keys.clear(),this.robot&&this.driver.stop(this.robot)}tick(){let{robot:e}=this;if(!e)return;let t=Jb(this.keys.axes(),this.pad.axes());this.driver.drive(e,t),jb(t)&&this.gimbal.move(e,t,1/Jm),this.note.classList.toggle("moving",zd(t))}watchPad(){if(this.pad.pad){for(let e of this.pad.pressed())e==="start"?this.toggle():this.robot&&e==="A"?this.halt():this.robot&&e==="B"&&this.gimbal.toggleLamps(this.robot);window.setTimeout(()=>this.watchPad(),1e3/Jm)}}feel(e){let t=e.arrays.impulse,n=0;e.header.contacts.forEach(([r],o)=>{let a=Math.hypot(t[3*o],t[3*o+1],t[3*o+2]);r===this.robot?.name&&(n=Math.max(n,a))});let s=n-2*(this.usual??n);this.usual=(this.usual??n)+.1*(n-(this.usual??n)),s>n2&&this.pad.pad&&this.pad.rumble(s/i2)}feelTool(e,t){let n=performance.now();this.robot?.name!==e||t<s2||n-this.hummed<o2||!this.pad.pad||(this.hummed=n,this.pad.rumble(Math.min(t/r2,1)))}waypoint(e){this.robot?this.driver.sendTo(this.robot,e):this.app.selected&&this.app.notice(`press T to take control of ${this.app.selected}; then a double click sends it there`)}placeOf(e){let{p:t,q:n}=this.poses?.arrays??{},s=e.first;if(!t||!n||t.length<3*s+3)return null;let[r,o,a,l]=[0,1,2,3].map(h=>Number(n[4*s+h])),c=Math.atan2(2*(r*l+o*a),1-2*(a*a+l*l));return{p:[0,1,2].map(h=>Number(t[3*s+h])),yaw:c}}};var a2=[["Robot",[["T","take control of the selected robot, or let it go"],["W S  \u2191 \u2193","forward, backward"],["A D  \u2190 \u2192","left, right (wheeled robots turn)"],["R F","up, down"],["Q E","turn left, right"],["Shift","faster"],["Space","stop, hover"],["J L  I K","its camera: left, right, up, down"],["U O","its camera: zoom in, out"],["B","headlight on, off"],["double click","on the ground: go there (while in control)"],["Shift double click","on the ground: put the selected robot there"]]],["Looking",[["N","next robot"],["C","over the shoulder, on board"],["drag, wheel","orbit, nearer, farther"],["right mouse","held, with W A S D Q E: fly freely"],["click","select a robot"],["1 \u2026 6","orbit, chase, shoulder, on board, its camera, free"],["V","lamp of the viewer, in dark places"],["G","grid on the ground"],["M","instruments: attitude and force"]]],["Run",[["P","play, pause"],[".","one step, while paused"],["Y","choose a scenario"],["Tab","hide or show all panels"],["H  ?","this list"],["Esc","close it"]]],["Gamepad",[["Start","take or release control"],["left stick","forward, sideways"],["right stick","turn, up and down"],["right trigger","faster"],["A","stop"],["B","lamps"],["cross","camera of the robot"],["shoulders","zoom out, in"]]]],Xd=class{element=X("dialog",{class:"dialog help","aria-label":"keys"});constructor(){let e=a2.map(([t,n])=>X("section",{},X("h3",{},t),X("dl",{},...n.flatMap(([s,r])=>[X("dt",{},s),X("dd",{},r)]))));this.element.append(X("div",{class:"tools"},X("h2",{},"Keys"),X("span",{class:"spring"}),tt("close","close",()=>this.element.close())),X("div",{class:"help-columns"},...e)),this.element.addEventListener("click",t=>{t.target===this.element&&this.element.close()}),this.element.addEventListener("keydown",t=>{(t.key==="h"||t.key==="?")&&this.element.close()})}toggle(){this.element.open?this.element.close():this.element.showModal()}};var ix=["auto","low","medium","high","ultra"],Zm=[{detail:.06,ratio:.5,tile:512,skyTaps:3,lazy:4,reach:90},{detail:.12,ratio:.67,tile:512,skyTaps:3,lazy:2,reach:110},{detail:.25,ratio:1,tile:1024,skyTaps:3,lazy:2,reach:130},{detail:.45,ratio:1,tile:1024,skyTaps:8,lazy:1,reach:160},{detail:.8,ratio:1.25,tile:2048,skyTaps:8,lazy:1,reach:200},{detail:1.4,ratio:1.5,tile:2048,skyTaps:8,lazy:1,reach:240},{detail:2.5,ratio:2,tile:2048,skyTaps:8,lazy:1,reach:280}],l2={low:1,medium:3,high:5,ultra:6},tx=3,nx=1/33,c2=1/52,h2=.7,u2=4,d2=60,$d=class{constructor(e){this.app=e}app;fps=60;chosen="auto";step=tx;since=0;clock=0;failed=new Array(Zm.length).fill(-1/0);get choice(){return this.chosen}set choice(e){this.chosen=e,this.to(e==="auto"?tx:l2[e])}get settings(){return Zm[this.step]}measure(e){if(e>1.5)return;this.clock+=e;let t=Math.min(1,3*e);if(this.fps+=(1/Math.max(e,.001)-this.fps)*t,this.chosen!=="auto"||document.hidden)return;let n=1/this.fps,s=this.clock-this.since;n>nx&&s>h2&&this.step>0?(this.failed[this.step]=this.clock,this.to(this.step-(n>3*nx&&this.step>1?2:1))):n<c2&&s>u2&&this.step+1<Zm.length&&this.clock-this.failed[this.step+1]>d2&&this.to(this.step+1)}to(e){this.step=e,this.since=this.clock,this.app.events.emit("quality",{chosen:this.chosen,detail:this.settings.detail,fps:this.fps})}};var p2=[["orbit","orbit","drag to turn round the robot, wheel to come nearer (1)"],["chase","chase","behind the robot, on a spring (2)"],["shoulder","shoulder","over its shoulder (3, C)"],["onboard","on board","from the robot itself (4, C)"],["free","free","fly: right mouse button and W A S D Q E (6)"]],Yd=class{constructor(e,t){this.app=e;this.plot=t;let n=X("output",{class:"dim"}),s=to("quality of the picture",ix.map(a=>[a,a]),e.quality.choice,a=>{e.quality.choice=a});e.events.on("quality",({chosen:a})=>s.value=a),window.setInterval(()=>Dt(n,`${Math.round(e.quality.fps)} fps`),1e3);let r=(a,...l)=>X("details",{open:!0},X("summary",{},a),...l),o=Object.entries(qu).map(([a,{about:l}])=>this.layerCheck(a,a,l));this.general=X("div",{class:"general"},...o),this.element.append(r("Robots",this.robots,this.control,this.workshop),r("Camera",this.modes,X("label",{class:"row"},"quality",n,s)),r("Sensors",this.sensors),r("Layers",this.general)),this.workshop.append(this.types,tt("plus","add a robot of this type where you look",()=>e.events.emit("add",{type:this.types.value}),"add"),tt("trash","remove the selected robot",()=>{this.remove()})),e.events.on("welcome",({mode:a})=>{this.workshop.hidden=a==="replay",a!=="replay"&&this.learnTypes()}),e.events.on("robots",()=>this.draw()),e.events.on("selected",()=>this.choose()),e.events.on("layers",()=>this.tick()),e.events.on("camera",()=>this.markMode()),this.draw()}app;plot;element=X("section",{class:"panel left"});robots=X("ul",{class:"robots"});control=X("div",{class:"control"});types=X("select",{title:"type of the robot to add","aria-label":"type of the robot to add"});workshop=X("div",{class:"tools workshop"});modes=X("div",{class:"modes",role:"radiogroup","aria-label":"camera"});sensors=X("div",{class:"sensors"});general;pictures=null;attach(e){this.pictures=e}setControl(...e){this.control.replaceChildren(...e)}markViews(){for(let e of this.sensors.querySelectorAll("[data-topic]"))e.classList.toggle("on",!!this.pictures?.isOpen(e.dataset.topic))}async learnTypes(){let e=await this.app.connection.ask({do:"library"}).catch(()=>[]),t=this.types.value||"quad";this.types.replaceChildren(...e.map(n=>X("option",{value:n},n))),e.includes(t)&&(this.types.value=t)}async remove(){let e=this.app.selected;if(!e)return this.app.notice("select a robot first","warning");try{await this.app.connection.ask({do:"remove",name:e})}catch(t){this.app.notice(t.message,"error")}}draw(){let e=this.app.robots.filter(n=>!n.movable),t=this.app.robots.length-e.length;this.robots.replaceChildren(...e.map(n=>this.robotRow(n)),...t?[X("li",{class:"dim"},`${t} movable things`)]:[],...e.length?[]:[X("li",{class:"dim"},"no robots")]),this.choose()}robotRow(e){let t=X("span",{class:"dot",style:`background:${_a(e.name)}`}),n=X("b",{},t,e.name),s=X("i",{},[e.type,e.engine].filter(Boolean).join(" \xB7 ")),r=()=>this.app.selected=e.name;return X("li",{},X("button",{type:"button","data-robot":e.name,onclick:r},n,s))}choose(){for(let e of this.robots.querySelectorAll("[data-robot]")){let t=e.dataset.robot===this.app.selected;e.classList.toggle("chosen",t),e.setAttribute("aria-pressed",String(t))}this.drawModes(),this.drawSensors()}drawModes(){let e=this.app.robot(this.app.selected)?.sensors.filter(_s)??[],t=(n,s,r,o)=>X("button",{type:"button",role:"radio",title:r,"data-mode":n,"data-sensor":o??"",onclick:()=>this.look(n,o)},s);this.modes.replaceChildren(...p2.map(([n,s,r])=>t(n,s,r,null)),...e.map(n=>t("sensor",n.name,`through the camera ${n.name}`,n.name))),this.markMode()}markMode(){let{cameras:e}=this.app;for(let t of this.modes.children){let{mode:n,sensor:s}=t.dataset,r=n===e?.mode&&(n!=="sensor"||s===e.sensor);t.classList.toggle("on",r),t.setAttribute("aria-checked",String(r))}}look(e,t){let{cameras:n}=this.app;t!==null&&(n.sensor=t),n.mode=e,this.markMode()}drawSensors(){let e=this.app.robot(this.app.selected),t=e?.sensors.map(r=>this.sensorRow(e,r))??[],n=t.length>0&&this.app.robots.some(r=>r!==e&&r.sensors.length>0),s=()=>this.likewise(e);this.sensors.replaceChildren(...t,...n?[tt("","switch the sensors of all other robots as they are switched here",s,"same for all robots")]:[],...t.length?[]:[X("p",{class:"dim"},e?"no sensors":"select a robot")]),this.markViews()}sensorRow(e,t){let n=`${e.name}/${t.name}`,s=qb(t)?this.layerCheck(n,t.name,`draw what ${t.name} feels`):X("span",{class:"check"},t.name),r=X("div",{class:"sensor"},s,X("i",{},t.type));t.topics.some(({view:l})=>l==="points")&&r.append(this.colours(n));let a=[...ec(e,t).map(l=>{let c=()=>{xd(this.app,e,t),this.pictures?.toggle(l,`${n} ${l.name}`)},h=tt("picture",`picture: ${l.name}`,c,l.name);return h.dataset.topic=l.topic,h}),...this.series(t),...this.switches(e,t)];return a.length&&r.append(X("div",{class:"views"},...a)),r}series(e){return e.topics.filter(({view:t})=>t==="series").map(({topic:t,type:n,path:s})=>{let r=t.split("/").slice(3).join(" ")||s,o=tt("plus",`plot ${t} ${s}`,()=>this.plot(t,n,s),r);return o.dataset.topic=t,o})}switches(e,t){return t.controls.filter(({required:n})=>n===0).map(({name:n,doc:s})=>{let r=()=>this.app.connection.ask({do:"operate",robot:e.name,sensor:t.name,control:n,arguments:[]}),a=tt("",s,()=>{r().catch(l=>this.app.notice(l.message,"error"))},n);return a.dataset.control=n,a})}colours(e){let t=`colour:${e}`,n=vb.map(r=>[r,`colour: ${r}`]),s=r=>this.app.options[t]=r;return to("what the colours tell",n,this.app.options[t]??"range",s)}likewise(e){for(let t of e.sensors){let n=!!this.app.layers[`${e.name}/${t.name}`];for(let s of this.app.robots)s.sensors.some(r=>r.name===t.name)&&(this.app.layers[`${s.name}/${t.name}`]=n)}}layerCheck(e,t,n){let s=ld(t,!!this.app.layers[e],r=>this.app.layers[e]=r,n);return s.dataset.layer=e,s}tick(){for(let e of this.element.querySelectorAll("[data-layer]"))e.querySelector("input").checked=!!this.app.layers[e.dataset.layer]}};var f2=500,Kd=class{element=X("div",{class:"lines",tabindex:"0"});kept=[];seen=!1;add(e){if(this.kept.push(e),this.kept.length>f2&&this.kept.shift()?.remove(),!this.seen)return;let t=this.atEnd();this.element.append(e),t&&this.toEnd()}clear(){this.kept=[],this.element.replaceChildren()}show(){this.seen=!0,this.element.replaceChildren(...this.kept),this.toEnd()}hide(){this.seen=!1}atEnd(){let{scrollHeight:e,scrollTop:t,clientHeight:n}=this.element;return e-t-n<24}toEnd(){this.element.scrollTop=this.element.scrollHeight}},jd=class{constructor(e){this.app=e;let t=["collision","event","warning"].map(s=>ld(`${s}s`,!0,r=>this.element.classList.toggle(`no-${s}`,!r))),n=tt("trash","clear",()=>this.lines.clear());this.element.append(X("div",{class:"tools"},...t,X("span",{class:"spring"}),n),this.lines.element),e.events.on("welcome",()=>this.lines.clear()),e.events.on("events",s=>s.forEach(r=>this.add(r)))}app;title="Events";element=X("div",{class:"list-panel"});lines=new Kd;show(){this.lines.show()}hide(){this.lines.hide()}add(e){let t=()=>this.app.selected=e.robot,n=this.app.robot(e.robot)?X("button",{type:"button",class:"name",onclick:t},e.robot):X("b",{},e.robot);this.lines.add(X("div",{class:`line ${e.kind}`},X("time",{},bs(e.now_ns*1e-9)),n,X("span",{},e.text)))}},Jd=class{title="Log";element=X("div",{class:"list-panel"});lines=new Kd;constructor(e){let t=tt("trash","clear",()=>this.lines.clear());this.element.append(X("div",{class:"tools"},X("span",{class:"spring"}),t),this.lines.element),e.events.on("log",({level:n,text:s})=>{let r=n.toLowerCase();this.lines.add(X("div",{class:`line ${r}`},X("b",{},r),X("span",{},s)))})}show(){this.lines.show()}hide(){this.lines.hide()}};var m2=50,Zd=class{constructor(e){this.app=e;let t=tt("","close",()=>this.element.close(),"cancel"),n=X("button",{type:"submit",class:"main"},"start"),s=(o,a)=>X("label",{},o,a),r=X("form",{onsubmit:o=>this.start(o)},X("h2",{},"Begin a run"),this.list,X("div",{class:"fields-row"},s("world",this.world),s("seed",this.seed),s("robots",this.robots)),X("div",{class:"buttons"},t,n));this.element.append(r),this.element.addEventListener("click",o=>{o.target===this.element&&this.element.close()})}app;element=X("dialog",{class:"dialog","aria-label":"choose a scenario"});list=X("div",{class:"choices",role:"radiogroup"});seed=X("input",{type:"number",min:0,step:1,placeholder:"the scenario's"});robots=X("input",{type:"number",min:1,max:m2,step:1,placeholder:"as it says"});world=to("world",[["","the scenario's"]],"",()=>{});chosen="";open(){let{welcome:e}=this.app;if(!e||this.element.open)return;this.chosen=e.scenario;let{scenario:t,scenarios:n,about:s}=e,r=n.some(a=>a.name===t)?[]:[{name:t,about:s}];this.fill([...r,...n]);let o=e.worlds??[];this.world.replaceChildren(...["",...o].map(a=>X("option",{value:a},a||"the scenario's"))),this.seed.value="",this.robots.value="",this.element.showModal(),this.list.querySelector("input:checked")?.focus()}fill(e){this.list.replaceChildren(...e.map(({name:t,about:n})=>{let s=X("input",{type:"radio",name:"scenario",value:t,checked:t===this.chosen});return s.addEventListener("change",()=>this.chosen=t),X("label",{class:"choice"},s,X("b",{},t.replaceAll("_"," ")),X("span",{},n))}))}async start(e){e.preventDefault();let t={scenario:this.chosen};this.seed.value!==""&&(t.seed=Number(this.seed.value)),this.robots.value!==""&&(t.robots=Number(this.robots.value)),this.world.value!==""&&(t.world=this.world.value);try{await this.app.connection.ask({do:"start",...t}),this.element.close(),this.app.notice(`starting ${this.chosen} \u2026`)}catch(n){this.app.notice(n.message,"error"),this.element.close()}}};var g2="uplot",v2="u-hz",_2="u-vt",y2="u-title",b2="u-wrap",x2="u-under",w2="u-over",M2="u-axis",ro="u-off",S2="u-select",A2="u-cursor-x",E2="u-cursor-y",T2="u-cursor-pt",C2="u-legend",P2="u-live",R2="u-inline",I2="u-series",L2="u-marker",sx="u-label",D2="u-value",sc="width",rc="height";var rx="bottom",wa="left",Qm="right",gg="#000",ox=gg+"0",eg="mousemove",ax="mousedown",tg="mouseup",lx="mouseenter",cx="mouseleave",hx="dblclick",N2="resize",F2="scroll",ux="change",ip="dppxchange",vg="--",Pa=typeof window<"u",og=Pa?document:null,Sa=Pa?window:null,k2=Pa?navigator:null,Rt,Qd;function ag(){let i=devicePixelRatio;Rt!=i&&(Rt=i,Qd&&cg(ux,Qd,ag),Qd=matchMedia(`(min-resolution: ${Rt-.001}dppx) and (max-resolution: ${Rt+.001}dppx)`),oo(ux,Qd,ag),Sa.dispatchEvent(new CustomEvent(ip)))}function Ci(i,e){if(e!=null){let t=i.classList;!t.contains(e)&&t.add(e)}}function lg(i,e){let t=i.classList;t.contains(e)&&t.remove(e)}function tn(i,e,t){i.style[e]=t+"px"}function es(i,e,t,n){let s=og.createElement(i);return e!=null&&Ci(s,e),t?.insertBefore(s,n),s}function Ui(i,e){return es("div",i,e)}var dx=new WeakMap;function xs(i,e,t,n,s){let r="translate("+e+"px,"+t+"px)",o=dx.get(i);r!=o&&(i.style.transform=r,dx.set(i,r),e<0||t<0||e>n||t>s?Ci(i,ro):lg(i,ro))}var px=new WeakMap;function fx(i,e,t){let n=e+t,s=px.get(i);n!=s&&(px.set(i,n),i.style.background=e,i.style.borderColor=t)}var mx=new WeakMap;function gx(i,e,t,n){let s=e+""+t,r=mx.get(i);s!=r&&(mx.set(i,s),i.style.height=t+"px",i.style.width=e+"px",i.style.marginLeft=n?-e/2+"px":0,i.style.marginTop=n?-t/2+"px":0)}var _g={passive:!0},U2={..._g,capture:!0};function oo(i,e,t,n){e.addEventListener(i,t,n?U2:_g)}function cg(i,e,t,n){e.removeEventListener(i,t,_g)}Pa&&ag();function ts(i,e,t,n){let s;t=t||0,n=n||e.length-1;let r=n<=2147483647;for(;n-t>1;)s=r?t+n>>1:Pi((t+n)/2),e[s]<i?t=s:n=s;return i-e[t]<=e[n]-i?t:n}function Wx(i){return(t,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(t[a])){r=a;break}for(let a=s;a>=n;a--)if(i(t[a])){o=a;break}return[r,o]}}var qx=i=>i!=null,Xx=i=>i!=null&&i>0,op=Wx(qx),O2=Wx(Xx);function B2(i,e,t,n=0,s=!1){let r=s?O2:op,o=s?Xx:qx;[e,t]=r(i,e,t);let a=i[e],l=i[e];if(e>-1)if(n==1)a=i[e],l=i[t];else if(n==-1)a=i[t],l=i[e];else for(let c=e;c<=t;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??Gt,l??-Gt]}function ap(i,e,t,n){let s=yx(i),r=yx(e);i==e&&(s==-1?(i*=t,e/=t):(i/=t,e*=t));let o=t==10?Ws:$x,a=s==1?Pi:Oi,l=r==1?Oi:Pi,c=a(o(Dn(i))),h=l(o(Dn(e))),u=Aa(t,c),d=Aa(t,h);return t==10&&(c<0&&(u=Ht(u,-c)),h<0&&(d=Ht(d,-h))),n||t==2?(i=u*s,e=d*r):(i=Jx(i,u),e=lp(e,d)),[i,e]}function yg(i,e,t,n){let s=ap(i,e,t,n);return i==0&&(s[0]=0),e==0&&(s[1]=0),s}var bg=.1,vx={mode:3,pad:bg},ac={pad:0,soft:null,mode:0},z2={min:ac,max:ac};function sp(i,e,t,n){return cp(t)?_x(i,e,t):(ac.pad=t,ac.soft=n?0:null,ac.mode=n?3:0,_x(i,e,z2))}function Tt(i,e){return i??e}function V2(i,e,t){for(e=Tt(e,0),t=Tt(t,i.length-1);e<=t;){if(i[e]!=null)return!0;e++}return!1}function _x(i,e,t){let n=t.min,s=t.max,r=Tt(n.pad,0),o=Tt(s.pad,0),a=Tt(n.hard,-Gt),l=Tt(s.hard,Gt),c=Tt(n.soft,Gt),h=Tt(s.soft,-Gt),u=Tt(n.mode,0),d=Tt(s.mode,0),p=e-i,f=Ws(p),y=hi(Dn(i),Dn(e)),m=Ws(y),g=Dn(m-f);(p<1e-24||g>10)&&(p=0,(i==0||e==0)&&(p=1e-24,u==2&&c!=Gt&&(r=0),d==2&&h!=-Gt&&(o=0)));let b=p||y||1e3,C=Ws(b),S=Aa(10,Pi(C)),R=b*(p==0?i==0?.1:1:r),E=Ht(Jx(i-R,S/10),24),_=i>=c&&(u==1||u==3&&E<=c||u==2&&E>=c)?c:Gt,A=hi(a,E<_&&i>=_?_:ns(_,E)),B=b*(p==0?e==0?.1:1:o),N=Ht(lp(e+B,S/10),24),I=e<=h&&(d==1||d==3&&N>=h||d==2&&N<=h)?h:-Gt,z=ns(l,N>I&&e<=I?I:hi(I,N));return A==z&&A==0&&(z=100),[A,z]}var G2=new Intl.NumberFormat(Pa?k2.language:"en-US"),xg=i=>G2.format(i),Ri=Math,np=Ri.PI,Dn=Ri.abs,Pi=Ri.floor,Ln=Ri.round,Oi=Ri.ceil,ns=Ri.min,hi=Ri.max,Aa=Ri.pow,yx=Ri.sign,Ws=Ri.log10,$x=Ri.log2,H2=(i,e=1)=>Ri.sinh(i)*e,ng=(i,e=1)=>Ri.asinh(i/e),Gt=1/0;function bx(i){return(Ws((i^i>>31)-(i>>31))|0)+1}function hg(i,e,t){return ns(hi(i,e),t)}function Yx(i){return typeof i=="function"}function wt(i){return Yx(i)?i:()=>i}var W2=()=>{},Kx=i=>i,jx=(i,e)=>e,q2=i=>null,xx=i=>!0,wx=(i,e)=>i==e,X2=/\.\d*?(?=9{6,}|0{6,})/gm,ao=i=>{if(Qx(i)||Er.has(i))return i;let e=`${i}`,t=e.match(X2);if(t==null)return i;let n=t[0].length-1;if(e.indexOf("e-")!=-1){let[s,r]=e.split("e");return+`${ao(s)}e${r}`}return Ht(i,n)};function io(i,e){return ao(Ht(ao(i/e))*e)}function lp(i,e){return ao(Oi(ao(i/e))*e)}function Jx(i,e){return ao(Pi(ao(i/e))*e)}function Ht(i,e=0){if(Qx(i))return i;let t=10**e,n=i*t*(1+Number.EPSILON);return Ln(n)/t}var Er=new Map;function Zx(i){return((""+i).split(".")[1]||"").length}function cc(i,e,t,n){let s=[],r=n.map(Zx);for(let o=e;o<t;o++){let a=Dn(o),l=Ht(Aa(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),d=i==10?h:Ht(h,u);s.push(d),Er.set(d,u)}}return s}var lc={},wg=[],Ea=[null,null],Ar=Array.isArray,Qx=Number.isInteger,$2=i=>i===void 0;function Mx(i){return typeof i=="string"}function cp(i){let e=!1;if(i!=null){let t=i.constructor;e=t==null||t==Object}return e}function Y2(i){return i!=null&&typeof i=="object"}var K2=Object.getPrototypeOf(Uint8Array),ew="__proto__";function Ta(i,e=cp){let t;if(Ar(i)){let n=i.find(s=>s!=null);if(Ar(n)||e(n)){t=Array(i.length);for(let s=0;s<i.length;s++)t[s]=Ta(i[s],e)}else t=i.slice()}else if(i instanceof K2)t=i.slice();else if(e(i)){t={};for(let n in i)n!=ew&&(t[n]=Ta(i[n],e))}else t=i;return t}function Tn(i){let e=arguments;for(let t=1;t<e.length;t++){let n=e[t];for(let s in n)s!=ew&&(cp(i[s])?Tn(i[s],Ta(n[s])):i[s]=Ta(n[s]))}return i}var j2=0,J2=1,Z2=2;function Q2(i,e,t){for(let n=0,s,r=-1;n<e.length;n++){let o=e[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<t&&i[s]==null;)i[r=s++]=null}}}function e3(i,e){if(i3(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return s3(o[0])||(o=n3(o)),o}let t=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)t.add(l[h])}let n=[Array.from(t).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(s).fill(void 0),d=e?e[o][c]:J2,p=[];for(let f=0;f<h.length;f++){let y=h[f],m=r.get(l[f]);y===null?d!=j2&&(u[m]=y,d==Z2&&p.push(m)):u[m]=y}Q2(u,p,s),n.push(u)}}return n}var t3=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function n3(i){let e=i[0],t=e.length,n=Array(t);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>e[r]-e[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(t);for(let l=0;l<t;l++)a[l]=o[n[l]];s.push(a)}return s}function i3(i){let e=i[0][0],t=e.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=t)return!1;if(s!=e){for(let r=0;r<t;r++)if(s[r]!=e[r])return!1}}return!0}function s3(i,e=100){let t=i.length;if(t<=1)return!0;let n=0,s=t-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=hi(1,Pi((s-n+1)/e));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var tw=["January","February","March","April","May","June","July","August","September","October","November","December"],nw=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function iw(i){return i.slice(0,3)}var r3=nw.map(iw),o3=tw.map(iw),a3={MMMM:tw,MMM:o3,WWWW:nw,WWW:r3};function ic(i){return(i<10?"0":"")+i}function l3(i){return(i<10?"00":i<100?"0":"")+i}var c3={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,e)=>e.MMMM[i.getMonth()],MMM:(i,e)=>e.MMM[i.getMonth()],MM:i=>ic(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>ic(i.getDate()),D:i=>i.getDate(),WWWW:(i,e)=>e.WWWW[i.getDay()],WWW:(i,e)=>e.WWW[i.getDay()],HH:i=>ic(i.getHours()),H:i=>i.getHours(),h:i=>{let e=i.getHours();return e==0?12:e>12?e-12:e},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>ic(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>ic(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>l3(i.getMilliseconds())};function Mg(i,e){e=e||a3;let t=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)t.push(s[0][0]=="{"?c3[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<t.length;a++)o+=typeof t[a]=="string"?t[a]:t[a](r,e);return o}}var h3=new Intl.DateTimeFormat().resolvedOptions().timeZone;function u3(i,e){let t;return e=="UTC"||e=="Etc/UTC"?t=new Date(+i+i.getTimezoneOffset()*6e4):e==h3?t=i:(t=new Date(i.toLocaleString("en-US",{timeZone:e})),t.setMilliseconds(i.getMilliseconds())),t}var sw=i=>i%1==0,rp=[1,2,2.5,5],d3=cc(10,-32,0,rp),rw=cc(10,0,32,rp),p3=rw.filter(sw),so=d3.concat(rw),Sg=`
`,ow="{YYYY}",Sx=Sg+ow,aw="{M}/{D}",oc=Sg+aw,ep=oc+"/{YY}",lw="{aa}",f3="{h}:{mm}",Ma=f3+lw,Ax=Sg+Ma,Ex=":{ss}",Nt=null;function cw(i){let e=i*1e3,t=e*60,n=t*60,s=n*24,r=s*30,o=s*365,l=(i==1?cc(10,0,3,rp).filter(sw):cc(10,-3,0,rp)).concat([e,e*5,e*10,e*15,e*30,t,t*5,t*10,t*15,t*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,ow,Nt,Nt,Nt,Nt,Nt,Nt,1],[s*28,"{MMM}",Sx,Nt,Nt,Nt,Nt,Nt,1],[s,aw,Sx,Nt,Nt,Nt,Nt,Nt,1],[n,"{h}"+lw,ep,Nt,oc,Nt,Nt,Nt,1],[t,Ma,ep,Nt,oc,Nt,Nt,Nt,1],[e,Ex,ep+" "+Ma,Nt,oc+" "+Ma,Nt,Ax,Nt,1],[i,Ex+".{fff}",ep+" "+Ma,Nt,oc+" "+Ma,Nt,Ax,Nt,1]];function h(u){return(d,p,f,y,m,g)=>{let b=[],C=m>=o,S=m>=r&&m<o,R=u(f),E=Ht(R*i,3),_=ig(R.getFullYear(),C?0:R.getMonth(),S||C?1:R.getDate()),A=Ht(_*i,3);if(S||C){let B=S?m/r:0,N=C?m/o:0,I=E==A?E:Ht(ig(_.getFullYear()+N,_.getMonth()+B,1)*i,3),z=new Date(Ln(I/i)),H=z.getFullYear(),D=z.getMonth();for(let W=0;I<=y;W++){let Y=ig(H+N*W,D+B*W,1),G=Y-u(Ht(Y*i,3));I=Ht((+Y+G)*i,3),I<=y&&b.push(I)}}else{let B=m>=s?s:m,N=Pi(f)-Pi(E),I=A+N+lp(E-A,B);b.push(I);let z=u(I),H=z.getHours()+z.getMinutes()/t+z.getSeconds()/n,D=m/n,W=d.axes[p]._space,Y=g/W;for(;I=Ht(I+m,i==1?0:3),!(I>y);)if(D>1){let G=Pi(Ht(H+D,6))%24,Q=u(I).getHours()-G;Q>1&&(Q=-1),I-=Q*n,H=(H+D)%24;let se=b[b.length-1];Ht((I-se)/m,3)*Y>=.7&&b.push(I)}else b.push(I)}return b}}return[l,c,h]}var[m3,g3,v3]=cw(1),[_3,y3,b3]=cw(.001);cc(2,-53,53,[1]);function Tx(i,e){return i.map(t=>t.map((n,s)=>s==0||s==8||n==null?n:e(s==1||t[8]==0?n:t[1]+n)))}function Cx(i,e){return(t,n,s,r,o)=>{let a=e.find(f=>o>=f[0])||e[e.length-1],l,c,h,u,d,p;return n.map(f=>{let y=i(f),m=y.getFullYear(),g=y.getMonth(),b=y.getDate(),C=y.getHours(),S=y.getMinutes(),R=y.getSeconds(),E=m!=l&&a[2]||g!=c&&a[3]||b!=h&&a[4]||C!=u&&a[5]||S!=d&&a[6]||R!=p&&a[7]||a[1];return l=m,c=g,h=b,u=C,d=S,p=R,E(y)})}}function x3(i,e){let t=Mg(e);return(n,s,r,o,a)=>s.map(l=>t(i(l)))}function ig(i,e,t){return new Date(i,e,t)}function Px(i,e){return e(i)}var w3="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Rx(i,e){return(t,n,s,r)=>r==null?vg:e(i(n))}function M3(i,e){let t=i.series[e];return t.width?t.stroke(i,e):t.points.width?t.points.stroke(i,e):null}function S3(i,e){return i.series[e].fill(i,e)}var A3={show:!0,live:!0,isolate:!1,mount:W2,markers:{show:!0,width:2,stroke:M3,fill:S3,dash:"solid"},idx:null,idxs:null,values:[]};function E3(i,e){let t=i.cursor.points,n=Ui(),s=t.size(i,e);tn(n,sc,s),tn(n,rc,s);let r=s/-2;tn(n,"marginLeft",r),tn(n,"marginTop",r);let o=t.width(i,e,s);return o&&tn(n,"borderWidth",o),n}function T3(i,e){let t=i.series[e].points;return t._fill||t._stroke}function C3(i,e){let t=i.series[e].points;return t._stroke||t._fill}function P3(i,e){return i.series[e].points.size}var sg=[0,0];function R3(i,e,t){return sg[0]=e,sg[1]=t,sg}function tp(i,e,t,n=!0){return s=>{s.button==0&&(!n||s.target==e)&&t(s)}}function rg(i,e,t,n=!0){return s=>{(!n||s.target==e)&&t(s)}}var I3={show:!0,x:!0,y:!0,lock:!1,move:R3,points:{one:!1,show:E3,size:P3,width:0,stroke:C3,fill:T3},bind:{mousedown:tp,mouseup:tp,click:tp,dblclick:tp,mousemove:rg,mouseleave:rg,mouseenter:rg},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,e)=>{e.stopPropagation(),e.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,e,t,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},hw={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Ag=Tn({},hw,{filter:jx}),uw=Tn({},Ag,{size:10}),dw=Tn({},hw,{show:!1}),Eg='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',pw="bold "+Eg,fw=1.5,Ix={show:!0,scale:"x",stroke:gg,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:pw,side:2,grid:Ag,ticks:uw,border:dw,font:Eg,lineGap:fw,rotate:0},L3="Value",D3="Time",Lx={show:!0,scale:"x",auto:!1,sorted:1,min:Gt,max:-Gt,idxs:[]};function N3(i,e,t,n,s){return e.map(r=>r==null?"":xg(r))}function F3(i,e,t,n,s,r,o){let a=[],l=Er.get(s)||0;t=o?t:Ht(lp(t,s),l);for(let c=t;c<=n;c=Ht(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function ug(i,e,t,n,s,r,o){let a=[],l=i.scales[i.axes[e].scale].log,c=l==10?Ws:$x,h=Pi(c(t));s=Aa(l,h),l==10&&(s=so[ts(s,so)]);let u=t,d=s*l;l==10&&(d=so[ts(d,so)]);do a.push(u),u=u+s,l==10&&!Er.has(u)&&(u=Ht(u,Er.get(s))),u>=d&&(s=u,d=s*l,l==10&&(d=so[ts(d,so)]));while(u<=n);return a}function k3(i,e,t,n,s,r,o){let l=i.scales[i.axes[e].scale].asinh,c=n>l?ug(i,e,hi(l,t),n,s):[l],h=n>=0&&t<=0?[0]:[];return(t<-l?ug(i,e,hi(l,-n),-t,s):[l]).reverse().map(d=>-d).concat(h,c)}var mw=/./,U3=/[12357]/,O3=/[125]/,Dx=/1/,dg=(i,e,t,n)=>i.map((s,r)=>e==4&&s==0||r%n==0&&t.test(s.toExponential()[s<0?1:0])?s:null);function B3(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?mw:l(7,o)-h>=c?U3:l(5,o)-h>=c?O3:Dx;if(u==Dx){let d=Dn(l(1,o)-h);if(d<c)return dg(e.slice().reverse(),a.distr,u,Oi(c/d)).reverse()}return dg(e,a.distr,u,1)}function z3(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=r._space,l=i.valToPos,c=Dn(l(1,o)-l(2,o));return c<a?dg(e.slice().reverse(),3,mw,Oi(a/c)).reverse():e}function V3(i,e,t,n){return n==null?vg:e==null?"":xg(e)}var Nx={show:!0,scale:"y",stroke:gg,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:pw,side:3,grid:Ag,ticks:uw,border:dw,font:Eg,lineGap:fw,rotate:0};function G3(i,e){let t=3+(i||1)*2;return Ht(t*e,3)}function H3(i,e){let{scale:t,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],t,!0),o=i.valToPos(s[n[1]],t,!0),a=Dn(o-r),l=i.series[e],c=a/(l.points.space*Rt);return n[1]-n[0]<=c}var Fx={scale:null,auto:!0,sorted:0,min:Gt,max:-Gt},gw=(i,e,t,n,s)=>s,kx={show:!0,auto:!0,sorted:0,gaps:gw,alpha:1,facets:[Tn({},Fx,{scale:"x"}),Tn({},Fx,{scale:"y"})]},Ux={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:gw,alpha:1,points:{show:H3,filter:null},values:null,min:Gt,max:-Gt,idxs:[],path:null,clip:null};function W3(i,e,t,n,s){return t/10}var vw={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},q3=Tn({},vw,{time:!1,ori:1}),Ox={};function _w(i,e){let t=Ox[i];return t||(t={key:i,plots:[],sub(n){t.plots.push(n)},unsub(n){t.plots=t.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<t.plots.length;h++)t.plots[h]!=s&&t.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(Ox[i]=t)),t}var Ca=1,pg=2;function lo(i,e,t){let n=i.mode,s=i.series[e],r=n==2?i._data[e]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[e],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],d=a.left,p=a.top,f=a.width,y=a.height,m=i.valToPosH,g=i.valToPosV;return h.ori==0?t(s,l,c,h,u,m,g,d,p,f,y,up,Ra,pp,bw,ww):t(s,l,c,h,u,g,m,p,d,y,f,dp,Ia,Pg,xw,Mw)}function Tg(i,e){let t=0,n=0,s=Tt(i.bands,wg);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==e?t=o.dir:o.series[1]==e&&(o.dir==1?n|=1:n|=2)}return[t,n==1?-1:n==2?1:n==3?2:0]}function X3(i,e,t,n,s){let r=i.mode,o=i.series[e],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function qs(i,e,t,n,s,r){return lo(i,e,(o,a,l,c,h,u,d,p,f,y,m)=>{let g=o.pxRound,b=c.dir*(c.ori==0?1:-1),C=c.ori==0?Ra:Ia,S,R;b==1?(S=t,R=n):(S=n,R=t);let E=g(u(a[S],c,y,p)),_=g(d(l[S],h,m,f)),A=g(u(a[R],c,y,p)),B=g(d(r==1?h.max:h.min,h,m,f)),N=new Path2D(s);return C(N,A,B),C(N,E,B),C(N,E,_),N})}function hp(i,e,t,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=e==0?pp:Pg,l=t;for(let u=0;u<i.length;u++){let d=i[u];if(d[1]>d[0]){let p=d[0]-l;p>0&&a(o,l,n,p,n+r),l=d[1]}}let c=t+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function $3(i,e,t){let n=i[i.length-1];n&&n[0]==e?n[1]=t:i.push([e,t])}function Cg(i,e,t,n,s,r,o){let a=[],l=i.length;for(let c=s==1?t:n;c>=t&&c<=n;c+=s)if(e[c]===null){let u=c,d=c;if(s==1)for(;++c<=n&&e[c]===null;)d=c;else for(;--c>=t&&e[c]===null;)d=c;let p=r(i[u]),f=d==u?p:r(i[d]),y=u-s;p=o<=0&&y>=0&&y<l?r(i[y]):p;let g=d+s;f=o>=0&&g>=0&&g<l?r(i[g]):f,f>=p&&a.push([p,f])}return a}function Bx(i){return i==0?Kx:i==1?Ln:e=>io(e,i)}function yw(i){let e=i==0?up:dp,t=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=ns(c,a/2,l/2),h=ns(h,a/2,l/2),e(s,r+c,o),t(s,r+a,o,r+a,o+l,c),t(s,r+a,o+l,r,o+l,h),t(s,r,o+l,r,o,h),t(s,r,o,r+a,o,c),s.closePath())}}var up=(i,e,t)=>{i.moveTo(e,t)},dp=(i,e,t)=>{i.moveTo(t,e)},Ra=(i,e,t)=>{i.lineTo(e,t)},Ia=(i,e,t)=>{i.lineTo(t,e)},pp=yw(0),Pg=yw(1),bw=(i,e,t,n,s,r)=>{i.arc(e,t,n,s,r)},xw=(i,e,t,n,s,r)=>{i.arc(t,e,n,s,r)},ww=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(e,t,n,s,r,o)},Mw=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(t,e,s,n,o,r)};function Sw(i){return(e,t,n,s,r)=>lo(e,t,(o,a,l,c,h,u,d,p,f,y,m)=>{let{pxRound:g,points:b}=o,C,S;c.ori==0?(C=up,S=bw):(C=dp,S=xw);let R=Ht(b.width*Rt,3),E=(b.size-b.width)/2*Rt,_=Ht(E*2,3),A=new Path2D,B=new Path2D,{left:N,top:I,width:z,height:H}=e.bbox;pp(B,N-_,I-_,z+_*2,H+_*2);let D=W=>{if(l[W]!=null){let Y=g(u(a[W],c,y,p)),G=g(d(l[W],h,m,f));C(A,Y+E,G),S(A,Y,G,E,0,np*2)}};if(r)r.forEach(D);else for(let W=n;W<=s;W++)D(W);return{stroke:R>0?A:null,fill:A,clip:B,flags:Ca|pg}})}function Aw(i){return(e,t,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(e,t,n),r!=s&&o!=s&&i(e,t,s),i(e,t,o))}}var Y3=Aw(Ra),K3=Aw(Ia);function Ew(i){let e=Tt(i?.alignGaps,0);return(t,n,s,r)=>lo(t,n,(o,a,l,c,h,u,d,p,f,y,m)=>{[s,r]=op(l,s,r);let g=o.pxRound,b=H=>g(u(H,c,y,p)),C=H=>g(d(H,h,m,f)),S,R;c.ori==0?(S=Ra,R=Y3):(S=Ia,R=K3);let E=c.dir*(c.ori==0?1:-1),_={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ca},A=_.stroke,B=!1;if(r-s>=y*4){let H=ue=>t.posToVal(ue,c.key,!0),D=null,W=null,Y,G,ce,J=b(a[E==1?s:r]),Q=b(a[s]),se=b(a[r]),de=H(E==1?Q+1:se-1);for(let ue=E==1?s:r;ue>=s&&ue<=r;ue+=E){let ee=a[ue],_e=(E==1?ee<de:ee>de)?J:b(ee),Te=l[ue];_e==J?Te!=null?(G=Te,D==null?(S(A,_e,C(G)),Y=D=W=G):G<D?D=G:G>W&&(W=G)):Te===null&&(B=!0):(D!=null&&R(A,J,C(D),C(W),C(Y),C(G)),Te!=null?(G=Te,S(A,_e,C(G)),D=W=Y=G):(D=W=null,Te===null&&(B=!0)),J=_e,de=H(J+E))}D!=null&&D!=W&&ce!=J&&R(A,J,C(D),C(W),C(Y),C(G))}else for(let H=E==1?s:r;H>=s&&H<=r;H+=E){let D=l[H];D===null?B=!0:D!=null&&S(A,b(a[H]),C(D))}let[I,z]=Tg(t,n);if(o.fill!=null||I!=0){let H=_.fill=new Path2D(A),D=o.fillTo(t,n,o.min,o.max,I),W=C(D),Y=b(a[s]),G=b(a[r]);E==-1&&([G,Y]=[Y,G]),S(H,G,W),S(H,Y,W)}if(!o.spanGaps){let H=[];B&&H.push(...Cg(a,l,s,r,E,b,e)),_.gaps=H=o.gaps(t,n,s,r,H),_.clip=hp(H,c.ori,p,f,y,m)}return z!=0&&(_.band=z==2?[qs(t,n,s,r,A,-1),qs(t,n,s,r,A,1)]:qs(t,n,s,r,A,z)),_})}function j3(i){let e=Tt(i.align,1),t=Tt(i.ascDesc,!1),n=Tt(i.alignGaps,0),s=Tt(i.extend,!1);return(r,o,a,l)=>lo(r,o,(c,h,u,d,p,f,y,m,g,b,C)=>{[a,l]=op(u,a,l);let S=c.pxRound,{left:R,width:E}=r.bbox,_=Q=>S(f(Q,d,b,m)),A=Q=>S(y(Q,p,C,g)),B=d.ori==0?Ra:Ia,N={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:Ca},I=N.stroke,z=d.dir*(d.ori==0?1:-1),H=A(u[z==1?a:l]),D=_(h[z==1?a:l]),W=D,Y=D;s&&e==-1&&(Y=R,B(I,Y,H)),B(I,D,H);for(let Q=z==1?a:l;Q>=a&&Q<=l;Q+=z){let se=u[Q];if(se==null)continue;let de=_(h[Q]),ue=A(se);e==1?B(I,de,H):B(I,W,ue),B(I,de,ue),H=ue,W=de}let G=W;s&&e==1&&(G=R+E,B(I,G,H));let[ce,J]=Tg(r,o);if(c.fill!=null||ce!=0){let Q=N.fill=new Path2D(I),se=c.fillTo(r,o,c.min,c.max,ce),de=A(se);B(Q,G,de),B(Q,Y,de)}if(!c.spanGaps){let Q=[];Q.push(...Cg(h,u,a,l,z,_,n));let se=c.width*Rt/2,de=t||e==1?se:-se,ue=t||e==-1?-se:se;Q.forEach(ee=>{ee[0]+=de,ee[1]+=ue}),N.gaps=Q=c.gaps(r,o,a,l,Q),N.clip=hp(Q,d.ori,m,g,b,C)}return J!=0&&(N.band=J==2?[qs(r,o,a,l,I,-1),qs(r,o,a,l,I,1)]:qs(r,o,a,l,I,J)),N})}function zx(i,e,t,n,s,r,o=Gt){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(e[l]!==void 0){if(a!=null){let h=Dn(i[l]-i[a]);h<c&&(c=h,o=Dn(t(i[l],n,s,r)-t(i[a],n,s,r)))}a=l}}return o}function J3(i){i=i||lc;let e=Tt(i.size,[.6,Gt,1]),t=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=wt(s),o=1-e[0],a=Tt(e[1],Gt),l=Tt(e[2],1),c=Tt(i.disp,lc),h=Tt(i.each,p=>{}),{fill:u,stroke:d}=c;return(p,f,y,m)=>lo(p,f,(g,b,C,S,R,E,_,A,B,N,I)=>{let z=g.pxRound,H=t,D=n*Rt,W=a*Rt,Y=l*Rt,G,ce;S.ori==0?[G,ce]=r(p,f):[ce,G]=r(p,f);let J=S.dir*(S.ori==0?1:-1),Q=S.ori==0?pp:Pg,se=S.ori==0?h:(Pe,Ye,rt,Me,Vt,ze,$e)=>{h(Pe,Ye,rt,Vt,Me,$e,ze)},de=Tt(p.bands,wg).find(Pe=>Pe.series[0]==f),ue=de!=null?de.dir:0,ee=g.fillTo(p,f,g.min,g.max,ue),me=z(_(ee,R,I,B)),_e,Te,we,We=N,st=z(g.width*Rt),Ve=!1,ft=null,ut=null,nt=null,nn=null;u!=null&&(st==0||d!=null)&&(Ve=!0,ft=u.values(p,f,y,m),ut=new Map,new Set(ft).forEach(Pe=>{Pe!=null&&ut.set(Pe,new Path2D)}),st>0&&(nt=d.values(p,f,y,m),nn=new Map,new Set(nt).forEach(Pe=>{Pe!=null&&nn.set(Pe,new Path2D)})));let{x0:Wt,size:_n}=c;if(Wt!=null&&_n!=null){H=1,b=Wt.values(p,f,y,m),Wt.unit==2&&(b=b.map(rt=>p.posToVal(A+rt*N,S.key,!0)));let Pe=_n.values(p,f,y,m);_n.unit==2?Te=Pe[0]*N:Te=E(Pe[0],S,N,A)-E(0,S,N,A),We=zx(b,C,E,S,N,A,We),we=We-Te+D}else We=zx(b,C,E,S,N,A,We),we=We*o+D,Te=We-we;we<1&&(we=0),st>=Te/2&&(st=0),we<5&&(z=Kx);let Bt=we>0,Fn=We-we-(Bt?st:0);Te=z(hg(Fn,Y,W)),_e=(H==0?Te/2:H==J?0:Te)-H*J*((H==0?D/2:0)+(Bt?st/2:0));let St={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},Cn=Ve?null:new Path2D,cn=null;if(de!=null)cn=p.data[de.series[1]];else{let{y0:Pe,y1:Ye}=c;Pe!=null&&Ye!=null&&(C=Ye.values(p,f,y,m),cn=Pe.values(p,f,y,m))}let yn=G*Te,U=ce*Te;for(let Pe=J==1?y:m;Pe>=y&&Pe<=m;Pe+=J){let Ye=C[Pe];if(Ye==null)continue;if(cn!=null){let q=cn[Pe]??0;if(Ye-q==0)continue;me=_(q,R,I,B)}let rt=S.distr!=2||c!=null?b[Pe]:Pe,Me=E(rt,S,N,A),Vt=_(Tt(Ye,ee),R,I,B),ze=z(Me-_e),$e=z(hi(Vt,me)),T=z(ns(Vt,me)),x=$e-T;if(Ye!=null){let q=Ye<0?U:yn,he=Ye<0?yn:U;Ve?(st>0&&nt[Pe]!=null&&Q(nn.get(nt[Pe]),ze,T+Pi(st/2),Te,hi(0,x-st),q,he),ft[Pe]!=null&&Q(ut.get(ft[Pe]),ze,T+Pi(st/2),Te,hi(0,x-st),q,he)):Q(Cn,ze,T+Pi(st/2),Te,hi(0,x-st),q,he),se(p,f,Pe,ze-st/2,T,Te+st,x)}}return st>0?St.stroke=Ve?nn:Cn:Ve||(St._fill=g.width==0?g._fill:g._stroke??g._fill,St.width=0),St.fill=Ve?ut:Cn,St})}function Z3(i,e){let t=Tt(e?.alignGaps,0);return(n,s,r,o)=>lo(n,s,(a,l,c,h,u,d,p,f,y,m,g)=>{[r,o]=op(c,r,o);let b=a.pxRound,C=G=>b(d(G,h,m,f)),S=G=>b(p(G,u,g,y)),R,E,_;h.ori==0?(R=up,_=Ra,E=ww):(R=dp,_=Ia,E=Mw);let A=h.dir*(h.ori==0?1:-1),B=C(l[A==1?r:o]),N=B,I=[],z=[];for(let G=A==1?r:o;G>=r&&G<=o;G+=A)if(c[G]!=null){let J=l[G],Q=C(J);I.push(N=Q),z.push(S(c[G]))}let H={stroke:i(I,z,R,_,E,b),fill:null,clip:null,band:null,gaps:null,flags:Ca},D=H.stroke,[W,Y]=Tg(n,s);if(a.fill!=null||W!=0){let G=H.fill=new Path2D(D),ce=a.fillTo(n,s,a.min,a.max,W),J=S(ce);_(G,N,J),_(G,B,J)}if(!a.spanGaps){let G=[];G.push(...Cg(l,c,r,o,A,C,t)),H.gaps=G=a.gaps(n,s,r,o,G),H.clip=hp(G,h.ori,f,y,m,g)}return Y!=0&&(H.band=Y==2?[qs(n,s,r,o,D,-1),qs(n,s,r,o,D,1)]:qs(n,s,r,o,D,Y)),H})}function Q3(i){return Z3(eI,i)}function eI(i,e,t,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(t(a,i[0],e[0]),o==2)n(a,i[1],e[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let d=0;d<o-1;d++)h[d]=e[d+1]-e[d],u[d]=i[d+1]-i[d],c[d]=h[d]/u[d];l[0]=c[0];for(let d=1;d<o-1;d++)c[d]===0||c[d-1]===0||c[d-1]>0!=c[d]>0?l[d]=0:(l[d]=3*(u[d-1]+u[d])/((2*u[d]+u[d-1])/c[d-1]+(u[d]+2*u[d-1])/c[d]),isFinite(l[d])||(l[d]=0));l[o-1]=c[o-2];for(let d=0;d<o-1;d++)s(a,i[d]+u[d]/3,e[d]+l[d]*u[d]/3,i[d+1]-u[d]/3,e[d+1]-l[d+1]*u[d]/3,i[d+1],e[d+1])}return a}var fg=new Set;function Vx(){for(let i of fg)i.syncRect(!0)}Pa&&(oo(N2,Sa,Vx),oo(F2,Sa,Vx,!0),oo(ip,Sa,()=>{Gn.pxRatio=Rt}));var tI=Ew(),nI=Sw();function Gx(i,e,t,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>mg(r,o,e,t))}function iI(i,e){return i.map((t,n)=>n==0?{}:Tn({},e,t))}function mg(i,e,t,n){return Tn({},e==0?t:n,i)}function Tw(i,e,t){return e==null?Ea:[e,t]}var sI=Tw;function rI(i,e,t){return e==null?Ea:sp(e,t,bg,!0)}function Cw(i,e,t,n){return e==null?Ea:ap(e,t,i.scales[n].log,!1)}var oI=Cw;function Pw(i,e,t,n){return e==null?Ea:yg(e,t,i.scales[n].log,!1)}var aI=Pw;function lI(i,e,t,n,s){let r=hi(bx(i),bx(e)),o=e-i,a=ts(s/n*o,t);do{let l=t[a],c=n*l/o;if(c>=s&&r+(l<5?Er.get(l):0)<=17)return[l,c]}while(++a<t.length);return[0,0]}function Hx(i){let e,t;return i=i.replace(/(\d+)px/,(n,s)=>(e=Ln((t=+s)*Rt))+"px"),[i,e,t]}function cI(i){i.show&&[i.font,i.labelFont].forEach(e=>{let t=Ht(e[2]*Rt,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function Gn(i,e,t){let n={mode:Tt(i.mode,1)},s=n.mode;function r(v,w,P,L){let V=w.valToPct(v);return L+P*(w.dir==-1?1-V:V)}function o(v,w,P,L){let V=w.valToPct(v);return L+P*(w.dir==-1?V:1-V)}function a(v,w,P,L){return w.ori==0?r(v,w,P,L):o(v,w,P,L)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=Ui(g2);if(i.id!=null&&(c.id=i.id),Ci(c,i.class),i.title){let v=Ui(y2,c);v.textContent=i.title}let h=es("canvas"),u=n.ctx=h.getContext("2d"),d=Ui(b2,c);oo("click",d,v=>{v.target===f&&(jt!=To||sn!=Co)&&Wn.click(n,v)},!0);let p=n.under=Ui(x2,d);d.appendChild(h);let f=n.over=Ui(w2,d);i=Ta(i);let y=+Tt(i.pxAlign,1),m=Bx(y);(i.plugins||[]).forEach(v=>{v.opts&&(i=v.opts(n,i)||i)});let g=i.ms||.001,b=n.series=s==1?Gx(i.series||[],Lx,Ux,!1):iI(i.series||[null],kx),C=n.axes=Gx(i.axes||[],Ix,Nx,!0),S=n.scales={},R=n.bands=i.bands||[];R.forEach(v=>{v.fill=wt(v.fill||null),v.dir=Tt(v.dir,-1)});let E=s==2?b[1].facets[0].scale:b[0].scale,_={axes:Rs,series:vt},A=(i.drawOrder||["axes","series"]).map(v=>_[v]);function B(v){let w=v.distr==3?P=>Ws(P>0?P:v.clamp(n,P,v.min,v.max,v.key)):v.distr==4?P=>ng(P,v.asinh):v.distr==100?P=>v.fwd(P):P=>P;return P=>{let L=w(P),{_min:V,_max:j}=v,ae=j-V;return(L-V)/ae}}function N(v){let w=S[v];if(w==null){let P=(i.scales||lc)[v]||lc;if(P.from!=null){N(P.from);let L=Tn({},S[P.from],P,{key:v});L.valToPct=B(L),S[v]=L}else{w=S[v]=Tn({},v==E?vw:q3,P),w.key=v;let L=w.time,V=w.range,j=Ar(V);if((v!=E||s==2&&!L)&&(j&&(V[0]==null||V[1]==null)&&(V={min:V[0]==null?vx:{mode:1,hard:V[0],soft:V[0]},max:V[1]==null?vx:{mode:1,hard:V[1],soft:V[1]}},j=!1),!j&&cp(V))){let ae=V;V=(pe,be,De)=>be==null?Ea:sp(be,De,ae)}w.range=wt(V||(L?sI:v==E?w.distr==3?oI:w.distr==4?aI:Tw:w.distr==3?Cw:w.distr==4?Pw:rI)),w.auto=wt(j?!1:w.auto),w.clamp=wt(w.clamp||W3),w._min=w._max=null,w.valToPct=B(w)}}}N("x"),N("y"),s==1&&b.forEach(v=>{N(v.scale)}),C.forEach(v=>{N(v.scale)});for(let v in i.scales)N(v);let I=S[E],z=I.distr,H,D;I.ori==0?(Ci(c,v2),H=r,D=o):(Ci(c,_2),H=o,D=r);let W={};for(let v in S){let w=S[v];(w.min!=null||w.max!=null)&&(W[v]={min:w.min,max:w.max},w.min=w.max=null)}let Y=i.tzDate||(v=>new Date(Ln(v/g))),G=i.fmtDate||Mg,ce=g==1?v3(Y):b3(Y),J=Cx(Y,Tx(g==1?g3:y3,G)),Q=Rx(Y,Px(w3,G)),se=[],de=n.legend=Tn({},A3,i.legend),ue=n.cursor=Tn({},I3,{drag:{y:s==2}},i.cursor),ee=de.show,me=ue.show,_e=de.markers;de.idxs=se,_e.width=wt(_e.width),_e.dash=wt(_e.dash),_e.stroke=wt(_e.stroke),_e.fill=wt(_e.fill);let Te,we,We,st=[],Ve=[],ft,ut=!1,nt={};if(de.live){let v=b[1]?b[1].values:null;ut=v!=null,ft=ut?v(n,1,0):{_:0};for(let w in ft)nt[w]=vg}if(ee)if(Te=es("table",C2,c),We=es("tbody",null,Te),de.mount(n,Te),ut){we=es("thead",null,Te,We);let v=es("tr",null,we);es("th",null,v);for(var nn in ft)es("th",sx,v).textContent=nn}else Ci(Te,R2),de.live&&Ci(Te,P2);let Wt={show:!0},_n={show:!1};function Bt(v,w){if(w==0&&(ut||!de.live||s==2))return Ea;let P=[],L=es("tr",I2,We,We.childNodes[w]);Ci(L,v.class),v.show||Ci(L,ro);let V=es("th",null,L);if(_e.show){let pe=Ui(L2,V);if(w>0){let be=_e.width(n,w);be&&(pe.style.border=be+"px "+_e.dash(n,w)+" "+_e.stroke(n,w)),pe.style.background=_e.fill(n,w)}}let j=Ui(sx,V);v.label instanceof HTMLElement?j.appendChild(v.label):j.textContent=v.label,w>0&&(_e.show||(j.style.color=v.width>0?_e.stroke(n,w):_e.fill(n,w)),St("click",V,pe=>{if(ue._lock)return;je(pe);let be=b.indexOf(v);if((pe.ctrlKey||pe.metaKey)!=de.isolate){let De=b.some((Ne,ke)=>ke>0&&ke!=be&&Ne.show);b.forEach((Ne,ke)=>{ke>0&&os(ke,De?ke==be?Wt:_n:Wt,!0,Mn.setSeries)})}else os(be,{show:!v.show},!0,Mn.setSeries)},!1),Je&&St(lx,V,pe=>{ue._lock||(je(pe),os(b.indexOf(v),Ro,!0,Mn.setSeries))},!1));for(var ae in ft){let pe=es("td",D2,L);pe.textContent="--",P.push(pe)}return[L,P]}let Fn=new Map;function St(v,w,P,L=!0){let V=Fn.get(w)||{},j=ue.bind[v](n,w,P,L);j&&(oo(v,w,V[v]=j),Fn.set(w,V))}function Cn(v,w,P){let L=Fn.get(w)||{};for(let V in L)(v==null||V==v)&&(cg(V,w,L[V]),delete L[V]);v==null&&Fn.delete(w)}let cn=0,yn=0,U=0,Pe=0,Ye=0,rt=0,Me=Ye,Vt=rt,ze=U,$e=Pe,T=0,x=0,q=0,he=0;n.bbox={};let oe=!1,ve=!1,ye=!1,te=!1,ie=!1,fe=!1;function k(v,w,P){(P||v!=n.width||w!=n.height)&&re(v,w),dt(!1),ye=!0,ve=!0,Yn()}function re(v,w){n.width=cn=U=v,n.height=yn=Pe=w,Ye=rt=0,xe(),Ge();let P=n.bbox;T=P.left=io(Ye*Rt,.5),x=P.top=io(rt*Rt,.5),q=P.width=io(U*Rt,.5),he=P.height=io(Pe*Rt,.5)}let ne=3;function Se(){let v=!1,w=0;for(;!v;){w++;let P=So(w),L=rs(w);v=w==ne||P&&L,v||(re(n.width,n.height),ve=!0)}}function ge({width:v,height:w}){k(v,w)}n.setSize=ge;function xe(){let v=!1,w=!1,P=!1,L=!1;C.forEach((V,j)=>{if(V.show&&V._show){let{side:ae,_size:pe}=V,be=ae%2,De=V.label!=null?V.labelSize:0,Ne=pe+De;Ne>0&&(be?(U-=Ne,ae==3?(Ye+=Ne,L=!0):P=!0):(Pe-=Ne,ae==0?(rt+=Ne,v=!0):w=!0))}}),is[0]=v,is[1]=P,is[2]=w,is[3]=L,U-=Gi[1]+Gi[3],Ye+=Gi[3],Pe-=Gi[2]+Gi[0],rt+=Gi[0]}function Ge(){let v=Ye+U,w=rt+Pe,P=Ye,L=rt;function V(j,ae){switch(j){case 1:return v+=ae,v-ae;case 2:return w+=ae,w-ae;case 3:return P-=ae,P+ae;case 0:return L-=ae,L+ae}}C.forEach((j,ae)=>{if(j.show&&j._show){let pe=j.side;j._pos=V(pe,j._size),j.label!=null&&(j._lpos=V(pe,j.labelSize))}})}if(ue.dataIdx==null){let v=ue.hover,w=v.skip=new Set(v.skip??[]);w.add(void 0);let P=v.prox=wt(v.prox),L=v.bias??=0;ue.dataIdx=(V,j,ae,pe)=>{if(j==0)return ae;let be=ae,De=P(V,j,ae,pe)??Gt,Ne=De>=0&&De<Gt,ke=I.ori==0?U:Pe,it=ue.left,Pt=e[0],Et=e[j];if(w.has(Et[ae])){be=null;let _t=null,Ke=null,qe;if(L==0||L==-1)for(qe=ae;_t==null&&qe-- >0;)w.has(Et[qe])||(_t=qe);if(L==0||L==1)for(qe=ae;Ke==null&&qe++<Et.length;)w.has(Et[qe])||(Ke=qe);if(_t!=null||Ke!=null)if(Ne){let Zt=_t==null?-1/0:H(Pt[_t],I,ke,0),dn=Ke==null?1/0:H(Pt[Ke],I,ke,0),Bn=it-Zt,zt=dn-it;Bn<=zt?Bn<=De&&(be=_t):zt<=De&&(be=Ke)}else be=Ke==null?_t:_t==null?Ke:ae-_t<=Ke-ae?_t:Ke}else Ne&&Dn(it-H(Pt[ae],I,ke,0))>De&&(be=null);return be}}let je=v=>{ue.event=v};ue.idxs=se,ue._lock=!1;let le=ue.points;le.show=wt(le.show),le.size=wt(le.size),le.stroke=wt(le.stroke),le.width=wt(le.width),le.fill=wt(le.fill);let Ue=n.focus=Tn({},i.focus||{alpha:.3},ue.focus),Je=Ue.prox>=0,Ce=Je&&le.one,at=[],Kt=[],Qn=[];function Xa(v,w){let P=le.show(n,w);if(P instanceof HTMLElement)return Ci(P,T2),Ci(P,v.class),xs(P,-10,-10,U,Pe),f.insertBefore(P,at[w]),P}function xo(v,w){if(s==1||w>0){let P=s==1&&S[v.scale].time,L=v.value;v.value=P?Mx(L)?Rx(Y,Px(L,G)):L||Q:L||V3,v.label=v.label||(P?D3:L3)}if(Ce||w>0){v.width=v.width==null?1:v.width,v.paths=v.paths||tI||q2,v.fillTo=wt(v.fillTo||X3),v.pxAlign=+Tt(v.pxAlign,y),v.pxRound=Bx(v.pxAlign),v.stroke=wt(v.stroke||null),v.fill=wt(v.fill||null),v._stroke=v._fill=v._paths=v._focus=null;let P=G3(hi(1,v.width),1),L=v.points=Tn({},{size:P,width:hi(1,P*.2),stroke:v.stroke,space:P*2,paths:nI,_stroke:null,_fill:null},v.points);L.show=wt(L.show),L.filter=wt(L.filter),L.fill=wt(L.fill),L.stroke=wt(L.stroke),L.paths=wt(L.paths),L.pxAlign=v.pxAlign}if(ee){let P=Bt(v,w);st.splice(w,0,P[0]),Ve.splice(w,0,P[1]),de.values.push(null)}if(me){se.splice(w,0,null);let P=null;Ce?w==0&&(P=Xa(v,w)):w>0&&(P=Xa(v,w)),at.splice(w,0,P),Kt.splice(w,0,0),Qn.splice(w,0,0)}On("addSeries",w)}function af(v,w){w=w??b.length,v=s==1?mg(v,w,Lx,Ux):mg(v,w,{},kx),b.splice(w,0,v),xo(b[w],w)}n.addSeries=af;function zc(v){if(b.splice(v,1),ee){de.values.splice(v,1),Ve.splice(v,1);let w=st.splice(v,1)[0];Cn(null,w.firstChild),w.remove()}me&&(se.splice(v,1),at.splice(v,1)[0].remove(),Kt.splice(v,1),Qn.splice(v,1)),On("delSeries",v)}n.delSeries=zc;let is=[!1,!1,!1,!1];function Ts(v,w){if(v._show=v.show,v.show){let P=v.side%2,L=S[v.scale];L==null&&(v.scale=P?b[1].scale:E,L=S[v.scale]);let V=L.time;v.size=wt(v.size),v.space=wt(v.space),v.rotate=wt(v.rotate),Ar(v.incrs)&&v.incrs.forEach(ae=>{!Er.has(ae)&&Er.set(ae,Zx(ae))}),v.incrs=wt(v.incrs||(L.distr==2?p3:V?g==1?m3:_3:so)),v.splits=wt(v.splits||(V&&L.distr==1?ce:L.distr==3?ug:L.distr==4?k3:F3)),v.stroke=wt(v.stroke),v.grid.stroke=wt(v.grid.stroke),v.ticks.stroke=wt(v.ticks.stroke),v.border.stroke=wt(v.border.stroke);let j=v.values;v.values=Ar(j)&&!Ar(j[0])?wt(j):V?Ar(j)?Cx(Y,Tx(j,G)):Mx(j)?x3(Y,j):j||J:j||N3,v.filter=wt(v.filter||(L.distr>=3&&L.log==10?B3:L.distr==3&&L.log==2?z3:jx)),v.font=Hx(v.font),v.labelFont=Hx(v.labelFont),v._size=v.size(n,null,w,0),v._space=v._rotate=v._incrs=v._found=v._splits=v._values=null,v._size>0&&(is[w]=!0,v._el=Ui(M2,d))}}function Cs(v,w,P,L){let[V,j,ae,pe]=P,be=w%2,De=0;return be==0&&(pe||j)&&(De=w==0&&!V||w==2&&!ae?Ln(Ix.size/3):0),be==1&&(V||ae)&&(De=w==1&&!j||w==3&&!pe?Ln(Nx.size/2):0),De}let $a=n.padding=(i.padding||[Cs,Cs,Cs,Cs]).map(v=>wt(Tt(v,Cs))),Gi=n._padding=$a.map((v,w)=>v(n,w,is,0)),hn,mn=null,gn=null,ss=s==1?b[0].idxs:null,yi=null,nr=!1;function Ya(v,w){if(e=v??[],n.data=n._data=e,s==2){hn=0;for(let P=1;P<b.length;P++)hn+=e[P][0].length}else{e.length==0&&(n.data=n._data=e=[[]]),yi=e[0],hn=yi.length;let P=e;if(z==2){P=e.slice();let L=P[0]=Array(hn);for(let V=0;V<hn;V++)L[V]=V}n._data=e=P}if(dt(!0),On("setData"),z==2&&(ye=!0),w!==!1){let P=I;P.auto(n,nr)?Ka():rr(E,P.min,P.max),te=te||ue.left>=0,fe=!0,Yn()}}n.setData=Ya;function Ka(){nr=!0;let v,w;s==1&&(hn>0?(mn=ss[0]=0,gn=ss[1]=hn-1,v=e[0][mn],w=e[0][gn],z==2?(v=mn,w=gn):v==w&&(z==3?[v,w]=ap(v,v,I.log,!1):z==4?[v,w]=yg(v,v,I.log,!1):I.time?w=v+Ln(86400/g):[v,w]=sp(v,w,bg,!0))):(mn=ss[0]=v=null,gn=ss[1]=w=null)),rr(E,v,w)}let wo,ir,Mo,M,O,Z,$,K,Ae,Re;function Ee(v,w,P,L,V,j){v??=ox,P??=wg,L??="butt",V??=ox,j??="round",v!=wo&&(u.strokeStyle=wo=v),V!=ir&&(u.fillStyle=ir=V),w!=Mo&&(u.lineWidth=Mo=w),j!=O&&(u.lineJoin=O=j),L!=Z&&(u.lineCap=Z=L),P!=M&&u.setLineDash(M=P)}function Ie(v,w,P,L){w!=ir&&(u.fillStyle=ir=w),v!=$&&(u.font=$=v),P!=K&&(u.textAlign=K=P),L!=Ae&&(u.textBaseline=Ae=L)}function Be(v,w,P,L,V=0){if(L.length>0&&v.auto(n,nr)&&(w==null||w.min==null)){let j=Tt(mn,0),ae=Tt(gn,L.length-1),pe=P.min==null?B2(L,j,ae,V,v.distr==3):[P.min,P.max];v.min=ns(v.min,P.min=pe[0]),v.max=hi(v.max,P.max=pe[1])}}let Qe={min:null,max:null};function gt(){for(let L in S){let V=S[L];W[L]==null&&(V.min==null||W[E]!=null&&V.auto(n,nr))&&(W[L]=Qe)}for(let L in S){let V=S[L];W[L]==null&&V.from!=null&&W[V.from]!=null&&(W[L]=Qe)}W[E]!=null&&dt(!0);let v={};for(let L in W){let V=W[L];if(V!=null){let j=v[L]=Ta(S[L],Y2);if(V.min!=null)Tn(j,V);else if(L!=E||s==2)if(hn==0&&j.from==null){let ae=j.range(n,null,null,L);j.min=ae[0],j.max=ae[1]}else j.min=Gt,j.max=-Gt}}if(hn>0){b.forEach((L,V)=>{if(s==1){let j=L.scale,ae=W[j];if(ae==null)return;let pe=v[j];if(V==0){let be=pe.range(n,pe.min,pe.max,j);pe.min=be[0],pe.max=be[1],mn=ts(pe.min,e[0]),gn=ts(pe.max,e[0]),gn-mn>1&&(e[0][mn]<pe.min&&mn++,e[0][gn]>pe.max&&gn--),L.min=yi[mn],L.max=yi[gn]}else L.show&&L.auto&&Be(pe,ae,L,e[V],L.sorted);L.idxs[0]=mn,L.idxs[1]=gn}else if(V>0&&L.show&&L.auto){let[j,ae]=L.facets,pe=j.scale,be=ae.scale,[De,Ne]=e[V],ke=v[pe],it=v[be];ke!=null&&Be(ke,W[pe],j,De,j.sorted),it!=null&&Be(it,W[be],ae,Ne,ae.sorted),L.min=ae.min,L.max=ae.max}});for(let L in v){let V=v[L],j=W[L];if(V.from==null&&(j==null||j.min==null)){let ae=V.range(n,V.min==Gt?null:V.min,V.max==-Gt?null:V.max,L);V.min=ae[0],V.max=ae[1]}}}for(let L in v){let V=v[L];if(V.from!=null){let j=v[V.from];if(j.min==null)V.min=V.max=null;else{let ae=V.range(n,j.min,j.max,L);V.min=ae[0],V.max=ae[1]}}}let w={},P=!1;for(let L in v){let V=v[L],j=S[L];if(j.min!=V.min||j.max!=V.max){j.min=V.min,j.max=V.max;let ae=j.distr;j._min=ae==3?Ws(j.min):ae==4?ng(j.min,j.asinh):ae==100?j.fwd(j.min):j.min,j._max=ae==3?Ws(j.max):ae==4?ng(j.max,j.asinh):ae==100?j.fwd(j.max):j.max,w[L]=P=!0}}if(P){b.forEach((L,V)=>{s==2?V>0&&w.y&&(L._paths=null):w[L.scale]&&(L._paths=null)});for(let L in w)ye=!0,On("setScale",L);me&&ue.left>=0&&(te=fe=!0)}for(let L in W)W[L]=null}function Oe(v){let w=hg(mn-1,0,hn-1),P=hg(gn+1,0,hn-1);for(;v[w]==null&&w>0;)w--;for(;v[P]==null&&P<hn-1;)P++;return[w,P]}function vt(){if(hn>0){let v=b.some(w=>w._focus)&&Re!=Ue.alpha;v&&(u.globalAlpha=Re=Ue.alpha),b.forEach((w,P)=>{if(P>0&&w.show&&(on(P,!1),on(P,!0),w._paths==null)){let L=Re;Re!=w.alpha&&(u.globalAlpha=Re=w.alpha);let V=s==2?[0,e[P][0].length-1]:Oe(e[P]);w._paths=w.paths(n,P,V[0],V[1]),Re!=L&&(u.globalAlpha=Re=L)}}),b.forEach((w,P)=>{if(P>0&&w.show){let L=Re;Re!=w.alpha&&(u.globalAlpha=Re=w.alpha),w._paths!=null&&kt(P,!1);{let V=w._paths!=null?w._paths.gaps:null,j=w.points.show(n,P,mn,gn,V),ae=w.points.filter(n,P,j,V);(j||ae)&&(w.points._paths=w.points.paths(n,P,mn,gn,ae),kt(P,!0))}Re!=L&&(u.globalAlpha=Re=L),On("drawSeries",P)}}),v&&(u.globalAlpha=Re=1)}}function on(v,w){let P=w?b[v].points:b[v];P._stroke=P.stroke(n,v),P._fill=P.fill(n,v)}function kt(v,w){let P=w?b[v].points:b[v],{stroke:L,fill:V,clip:j,flags:ae,_stroke:pe=P._stroke,_fill:be=P._fill,_width:De=P.width}=P._paths;De=Ht(De*Rt,3);let Ne=null,ke=De%2/2;w&&be==null&&(be=De>0?"#fff":pe);let it=P.pxAlign==1&&ke>0;if(it&&u.translate(ke,ke),!w){let Pt=T-De/2,Et=x-De/2,_t=q+De,Ke=he+De;Ne=new Path2D,Ne.rect(Pt,Et,_t,Ke)}w?Fe(pe,De,P.dash,P.cap,be,L,V,ae,j):Ut(v,pe,De,P.dash,P.cap,be,L,V,ae,Ne,j),it&&u.translate(-ke,-ke)}function Ut(v,w,P,L,V,j,ae,pe,be,De,Ne){let ke=!1;be!=0&&R.forEach((it,Pt)=>{if(it.series[0]==v){let Et=b[it.series[1]],_t=e[it.series[1]],Ke=(Et._paths||lc).band;Ar(Ke)&&(Ke=it.dir==1?Ke[0]:Ke[1]);let qe,Zt=null;Et.show&&Ke&&V2(_t,mn,gn)?(Zt=it.fill(n,Pt)||j,qe=Et._paths.clip):Ke=null,Fe(w,P,L,V,Zt,ae,pe,be,De,Ne,qe,Ke),ke=!0}}),ke||Fe(w,P,L,V,j,ae,pe,be,De,Ne)}let Pn=Ca|pg;function Fe(v,w,P,L,V,j,ae,pe,be,De,Ne,ke){Ee(v,w,P,L,V),(be||De||ke)&&(u.save(),be&&u.clip(be),De&&u.clip(De)),ke?(pe&Pn)==Pn?(u.clip(ke),Ne&&u.clip(Ne),yt(V,ae),bn(v,j,w)):pe&pg?(yt(V,ae),u.clip(ke),bn(v,j,w)):pe&Ca&&(u.save(),u.clip(ke),Ne&&u.clip(Ne),yt(V,ae),u.restore(),bn(v,j,w)):(yt(V,ae),bn(v,j,w)),(be||De||ke)&&u.restore()}function bn(v,w,P){P>0&&(w instanceof Map?w.forEach((L,V)=>{u.strokeStyle=wo=V,u.stroke(L)}):w!=null&&v&&u.stroke(w))}function yt(v,w){w instanceof Map?w.forEach((P,L)=>{u.fillStyle=ir=L,u.fill(P)}):w!=null&&v&&u.fill(w)}function Ps(v,w,P,L){let V=C[v],j;if(L<=0)j=[0,0];else{let ae=V._space=V.space(n,v,w,P,L),pe=V._incrs=V.incrs(n,v,w,P,L,ae);j=lI(w,P,pe,L,ae)}return V._found=j}function xn(v,w,P,L,V,j,ae,pe,be,De){let Ne=ae%2/2;y==1&&u.translate(Ne,Ne),Ee(pe,ae,be,De,pe),u.beginPath();let ke,it,Pt,Et,_t=V+(L==0||L==3?-j:j);P==0?(it=V,Et=_t):(ke=V,Pt=_t);for(let Ke=0;Ke<v.length;Ke++)w[Ke]!=null&&(P==0?ke=Pt=v[Ke]:it=Et=v[Ke],u.moveTo(ke,it),u.lineTo(Pt,Et));u.stroke(),y==1&&u.translate(-Ne,-Ne)}function So(v){let w=!0;return C.forEach((P,L)=>{if(!P.show)return;let V=S[P.scale];if(V.min==null){P._show&&(w=!1,P._show=!1,dt(!1));return}else P._show||(w=!1,P._show=!0,dt(!1));let j=P.side,ae=j%2,{min:pe,max:be}=V,[De,Ne]=Ps(L,pe,be,ae==0?U:Pe);if(Ne==0)return;let ke=V.distr==2,it=P._splits=P.splits(n,L,pe,be,De,Ne,ke),Pt=V.distr==2?it.map(qe=>yi[qe]):it,Et=V.distr==2?yi[it[1]]-yi[it[0]]:De,_t=P._values=P.values(n,P.filter(n,Pt,L,Ne,Et),L,Ne,Et);P._rotate=j==2?P.rotate(n,_t,L,Ne):0;let Ke=P._size;P._size=Oi(P.size(n,_t,L,v)),Ke!=null&&P._size!=Ke&&(w=!1)}),w}function rs(v){let w=!0;return $a.forEach((P,L)=>{let V=P(n,L,is,v);V!=Gi[L]&&(w=!1),Gi[L]=V}),w}function Rs(){for(let v=0;v<C.length;v++){let w=C[v];if(!w.show||!w._show)continue;let P=w.side,L=P%2,V,j,ae=w.stroke(n,v),pe=P==0||P==3?-1:1,[be,De]=w._found;if(w.label!=null){let ni=w.labelGap*pe,wi=Ln((w._lpos+ni)*Rt);Ie(w.labelFont[0],ae,"center",P==2?"top":rx),u.save(),L==1?(V=j=0,u.translate(wi,Ln(x+he/2)),u.rotate((P==3?-np:np)/2)):(V=Ln(T+q/2),j=wi);let kr=Yx(w.label)?w.label(n,v,be,De):w.label;u.fillText(kr,V,j),u.restore()}if(De==0)continue;let Ne=S[w.scale],ke=L==0?q:he,it=L==0?T:x,Pt=w._splits,Et=Ne.distr==2?Pt.map(ni=>yi[ni]):Pt,_t=Ne.distr==2?yi[Pt[1]]-yi[Pt[0]]:be,Ke=w.ticks,qe=w.border,Zt=Ke.show?Ke.size:0,dn=Ln(Zt*Rt),Bn=Ln((w.alignTo==2?w._size-Zt-w.gap:w.gap)*Rt),zt=w._rotate*-np/180,pn=m(w._pos*Rt),bi=(dn+Bn)*pe,ti=pn+bi;j=L==0?ti:0,V=L==1?ti:0;let Di=w.font[0],Hi=w.align==1?wa:w.align==2?Qm:zt>0?wa:zt<0?Qm:L==0?"center":P==3?Qm:wa,ls=zt||L==1?"middle":P==2?"top":rx;Ie(Di,ae,Hi,ls);let xi=w.font[1]*w.lineGap,Ni=Pt.map(ni=>m(a(ni,Ne,ke,it))),Wi=w._values;for(let ni=0;ni<Wi.length;ni++){let wi=Wi[ni];if(wi!=null){L==0?V=Ni[ni]:j=Ni[ni],wi=""+wi;let kr=wi.indexOf(`
`)==-1?[wi]:wi.split(/\n/gm);for(let ii=0;ii<kr.length;ii++){let r_=kr[ii];zt?(u.save(),u.translate(V,j+ii*xi),u.rotate(zt),u.fillText(r_,0,0),u.restore()):u.fillText(r_,V,j+ii*xi)}}}Ke.show&&xn(Ni,Ke.filter(n,Et,v,De,_t),L,P,pn,dn,Ht(Ke.width*Rt,3),Ke.stroke(n,v),Ke.dash,Ke.cap);let cs=w.grid;cs.show&&xn(Ni,cs.filter(n,Et,v,De,_t),L,L==0?2:1,L==0?x:T,L==0?he:q,Ht(cs.width*Rt,3),cs.stroke(n,v),cs.dash,cs.cap),qe.show&&xn([pn],[1],L==0?1:0,L==0?1:2,L==1?x:T,L==1?he:q,Ht(qe.width*Rt,3),qe.stroke(n,v),qe.dash,qe.cap)}On("drawAxes")}function dt(v){b.forEach((w,P)=>{P>0&&(w._paths=null,v&&(s==1?(w.min=null,w.max=null):w.facets.forEach(L=>{L.min=null,L.max=null})))})}let un=!1,ei=!1,Ot=[];function wn(){ei=!1;for(let v=0;v<Ot.length;v++)On(...Ot[v]);Ot.length=0}function Yn(){un||(t3(V0),un=!0)}function Vc(v,w=!1){un=!0,ei=w,v(n),V0(),w&&Ot.length>0&&queueMicrotask(wn)}n.batch=Vc;function V0(){if(oe&&(gt(),oe=!1),ye&&(Se(),ye=!1),ve){if(tn(p,wa,Ye),tn(p,"top",rt),tn(p,sc,U),tn(p,rc,Pe),tn(f,wa,Ye),tn(f,"top",rt),tn(f,sc,U),tn(f,rc,Pe),tn(d,sc,cn),tn(d,rc,yn),h.width=Ln(cn*Rt),h.height=Ln(yn*Rt),C.forEach(({_el:v,_show:w,_size:P,_pos:L,side:V})=>{if(v!=null)if(w){let j=V===3||V===0?P:0,ae=V%2==1;tn(v,ae?"left":"top",L-j),tn(v,ae?"width":"height",P),tn(v,ae?"top":"left",ae?rt:Ye),tn(v,ae?"height":"width",ae?Pe:U),lg(v,ro)}else Ci(v,ro)}),wo=ir=Mo=O=Z=$=K=Ae=M=null,Re=1,Za(!0),Ye!=Me||rt!=Vt||U!=ze||Pe!=$e){dt(!1);let v=U/ze,w=Pe/$e;if(me&&!te&&ue.left>=0){ue.left*=v,ue.top*=w,Ao&&xs(Ao,Ln(ue.left),0,U,Pe),Eo&&xs(Eo,0,Ln(ue.top),U,Pe);for(let P=0;P<at.length;P++){let L=at[P];L!=null&&(Kt[P]*=v,Qn[P]*=w,xs(L,Oi(Kt[P]),Oi(Qn[P]),U,Pe))}}if(Jt.show&&!ie&&Jt.left>=0&&Jt.width>0){Jt.left*=v,Jt.width*=v,Jt.top*=w,Jt.height*=w;for(let P in pf)tn(Po,P,Jt[P])}Me=Ye,Vt=rt,ze=U,$e=Pe}On("setSize"),ve=!1}cn>0&&yn>0&&(u.clearRect(0,0,h.width,h.height),On("drawClear"),A.forEach(v=>v()),On("draw")),Jt.show&&ie&&(Gc(Jt),ie=!1),me&&te&&(Fr(null,!0,!1),te=!1),de.show&&de.live&&fe&&(uf(),fe=!1),l||(l=!0,n.status=1,On("ready")),nr=!1,un=!1}n.redraw=(v,w)=>{ye=w||!1,v!==!1?rr(E,I.min,I.max):Yn()};function lf(v,w){let P=S[v];if(P.from==null){if(hn==0){let L=P.range(n,w.min,w.max,v);w.min=L[0],w.max=L[1]}if(w.min>w.max){let L=w.min;w.min=w.max,w.max=L}if(hn>1&&w.min!=null&&w.max!=null&&w.max-w.min<1e-16)return;v==E&&P.distr==2&&hn>0&&(w.min=ts(w.min,e[0]),w.max=ts(w.max,e[0]),w.min==w.max&&w.max++),W[v]=w,oe=!0,Yn()}}n.setScale=lf;let cf,hf,Ao,Eo,G0,H0,To,Co,W0,q0,jt,sn,sr=!1,Wn=ue.drag,kn=Wn.x,Un=Wn.y;me&&(ue.x&&(cf=Ui(A2,f)),ue.y&&(hf=Ui(E2,f)),I.ori==0?(Ao=cf,Eo=hf):(Ao=hf,Eo=cf),jt=ue.left,sn=ue.top);let Jt=n.select=Tn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Po=Jt.show?Ui(S2,Jt.over?f:p):null;function Gc(v,w){if(Jt.show){for(let P in v)Jt[P]=v[P],P in pf&&tn(Po,P,v[P]);w!==!1&&On("setSelect")}}n.setSelect=Gc;function ES(v){if(b[v].show)ee&&lg(st[v],ro);else if(ee&&Ci(st[v],ro),me){let P=Ce?at[0]:at[v];P!=null&&xs(P,-10,-10,U,Pe)}}function rr(v,w,P){lf(v,{min:w,max:P})}function os(v,w,P,L){w.focus!=null&&IS(v),w.show!=null&&b.forEach((V,j)=>{j>0&&(v==j||v==null)&&(V.show=w.show,ES(j),s==2?(rr(V.facets[0].scale,null,null),rr(V.facets[1].scale,null,null)):rr(V.scale,null,null),Yn())}),P!==!1&&On("setSeries",v,w),L&&Qa("setSeries",n,v,w)}n.setSeries=os;function TS(v,w){Tn(R[v],w)}function CS(v,w){v.fill=wt(v.fill||null),v.dir=Tt(v.dir,-1),w=w??R.length,R.splice(w,0,v)}function PS(v){v==null?R.length=0:R.splice(v,1)}n.addBand=CS,n.setBand=TS,n.delBand=PS;function RS(v,w){b[v].alpha=w,me&&at[v]!=null&&(at[v].style.opacity=w),ee&&st[v]&&(st[v].style.opacity=w)}let Is,or,Nr,Ro={focus:!0};function IS(v){if(v!=Nr){let w=v==null,P=Ue.alpha!=1;b.forEach((L,V)=>{if(s==1||V>0){let j=w||V==0||V==v;L._focus=w?null:j,P&&RS(V,j?1:Ue.alpha)}}),Nr=v,P&&Yn()}}ee&&Je&&St(cx,Te,v=>{ue._lock||(je(v),Nr!=null&&os(null,Ro,!0,Mn.setSeries))});function as(v,w,P){let L=S[w];P&&(v=v/Rt-(L.ori==1?rt:Ye));let V=U;L.ori==1&&(V=Pe,v=V-v),L.dir==-1&&(v=V-v);let j=L._min,ae=L._max,pe=v/V,be=j+(ae-j)*pe,De=L.distr;return De==3?Aa(10,be):De==4?H2(be,L.asinh):De==100?L.bwd(be):be}function LS(v,w){let P=as(v,E,w);return ts(P,e[0],mn,gn)}n.valToIdx=v=>ts(v,e[0]),n.posToIdx=LS,n.posToVal=as,n.valToPos=(v,w,P)=>S[w].ori==0?r(v,S[w],P?q:U,P?T:0):o(v,S[w],P?he:Pe,P?x:0),n.setCursor=(v,w,P)=>{jt=v.left,sn=v.top,Fr(null,w,P)};function X0(v,w){tn(Po,wa,Jt.left=v),tn(Po,sc,Jt.width=w)}function $0(v,w){tn(Po,"top",Jt.top=v),tn(Po,rc,Jt.height=w)}let ja=I.ori==0?X0:$0,Ja=I.ori==1?X0:$0;function DS(){if(ee&&de.live)for(let v=s==2?1:0;v<b.length;v++){if(v==0&&ut)continue;let w=de.values[v],P=0;for(let L in w)Ve[v][P++].firstChild.nodeValue=w[L]}}function uf(v,w){if(v!=null&&(v.idxs?v.idxs.forEach((P,L)=>{se[L]=P}):$2(v.idx)||se.fill(v.idx),de.idx=se[0]),ee&&de.live){for(let P=0;P<b.length;P++)(P>0||s==1&&!ut)&&NS(P,se[P]);DS()}fe=!1,w!==!1&&On("setLegend")}n.setLegend=uf;function NS(v,w){let P=b[v],L=v==0&&z==2?yi:e[v],V;ut?V=P.values(n,v,w)??nt:(V=P.value(n,w==null?null:L[w],v,w),V=V==null?nt:{_:V}),de.values[v]=V}function Fr(v,w,P){W0=jt,q0=sn,[jt,sn]=ue.move(n,jt,sn),ue.left=jt,ue.top=sn,me&&(Ao&&xs(Ao,Ln(jt),0,U,Pe),Eo&&xs(Eo,0,Ln(sn),U,Pe));let L,V=mn>gn;Is=Gt,or=null;let j=I.ori==0?U:Pe,ae=I.ori==1?U:Pe;if(jt<0||hn==0||V){L=ue.idx=null;for(let pe=0;pe<b.length;pe++){let be=at[pe];be!=null&&xs(be,-10,-10,U,Pe)}Je&&os(null,Ro,!0,v==null&&Mn.setSeries),de.live&&(se.fill(L),fe=!0)}else{let pe,be,De;s==1&&(pe=I.ori==0?jt:sn,be=as(pe,E),L=ue.idx=ts(be,e[0],mn,gn),De=H(e[0][L],I,j,0));let Ne=-10,ke=-10,it=0,Pt=0,Et=!0,_t="",Ke="";for(let qe=s==2?1:0;qe<b.length;qe++){let Zt=b[qe],dn=se[qe],Bn=dn==null?null:s==1?e[qe][dn]:e[qe][1][dn],zt=ue.dataIdx(n,qe,L,be),pn=zt==null?null:s==1?e[qe][zt]:e[qe][1][zt];if(fe=fe||pn!=Bn||zt!=dn,se[qe]=zt,qe>0&&Zt.show){let bi=zt==null?-10:zt==L?De:H(s==1?e[0][zt]:e[qe][0][zt],I,j,0),ti=pn==null?-10:D(pn,s==1?S[Zt.scale]:S[Zt.facets[1].scale],ae,0);if(Je&&pn!=null){let Di=I.ori==1?jt:sn,Hi=Dn(Ue.dist(n,qe,zt,ti,Di));if(Hi<Is){let ls=Ue.bias;if(ls!=0){let xi=as(Di,Zt.scale),Ni=pn>=0?1:-1,Wi=xi>=0?1:-1;Wi==Ni&&(Wi==1?ls==1?pn>=xi:pn<=xi:ls==1?pn<=xi:pn>=xi)&&(Is=Hi,or=qe)}else Is=Hi,or=qe}}if(fe||Ce){let Di,Hi;I.ori==0?(Di=bi,Hi=ti):(Di=ti,Hi=bi);let ls,xi,Ni,Wi,cs,ni,wi=!0,kr=le.bbox;if(kr!=null){wi=!1;let ii=kr(n,qe);Ni=ii.left,Wi=ii.top,ls=ii.width,xi=ii.height}else Ni=Di,Wi=Hi,ls=xi=le.size(n,qe);if(ni=le.fill(n,qe),cs=le.stroke(n,qe),Ce)qe==or&&Is<=Ue.prox&&(Ne=Ni,ke=Wi,it=ls,Pt=xi,Et=wi,_t=ni,Ke=cs);else{let ii=at[qe];ii!=null&&(Kt[qe]=Ni,Qn[qe]=Wi,gx(ii,ls,xi,wi),fx(ii,ni,cs),xs(ii,Oi(Ni),Oi(Wi),U,Pe))}}}}if(Ce){let qe=Ue.prox,Zt=Nr==null?Is<=qe:Is>qe||or!=Nr;if(fe||Zt){let dn=at[0];dn!=null&&(Kt[0]=Ne,Qn[0]=ke,gx(dn,it,Pt,Et),fx(dn,_t,Ke),xs(dn,Oi(Ne),Oi(ke),U,Pe))}}}if(Jt.show&&sr)if(v!=null){let[pe,be]=Mn.scales,[De,Ne]=Mn.match,[ke,it]=v.cursor.sync.scales,Pt=v.cursor.drag;if(kn=Pt._x,Un=Pt._y,kn||Un){let{left:Et,top:_t,width:Ke,height:qe}=v.select,Zt=v.scales[ke].ori,dn=v.posToVal,Bn,zt,pn,bi,ti,Di=pe!=null&&De(pe,ke),Hi=be!=null&&Ne(be,it);Di&&kn?(Zt==0?(Bn=Et,zt=Ke):(Bn=_t,zt=qe),pn=S[pe],bi=H(dn(Bn,ke),pn,j,0),ti=H(dn(Bn+zt,ke),pn,j,0),ja(ns(bi,ti),Dn(ti-bi))):ja(0,j),Hi&&Un?(Zt==1?(Bn=Et,zt=Ke):(Bn=_t,zt=qe),pn=S[be],bi=D(dn(Bn,it),pn,ae,0),ti=D(dn(Bn+zt,it),pn,ae,0),Ja(ns(bi,ti),Dn(ti-bi))):Ja(0,ae)}else ff()}else{let pe=Dn(W0-G0),be=Dn(q0-H0);if(I.ori==1){let it=pe;pe=be,be=it}kn=Wn.x&&pe>=Wn.dist,Un=Wn.y&&be>=Wn.dist;let De=Wn.uni;De!=null?kn&&Un&&(kn=pe>=De,Un=be>=De,!kn&&!Un&&(be>pe?Un=!0:kn=!0)):Wn.x&&Wn.y&&(kn||Un)&&(kn=Un=!0);let Ne,ke;kn&&(I.ori==0?(Ne=To,ke=jt):(Ne=Co,ke=sn),ja(ns(Ne,ke),Dn(ke-Ne)),Un||Ja(0,ae)),Un&&(I.ori==1?(Ne=To,ke=jt):(Ne=Co,ke=sn),Ja(ns(Ne,ke),Dn(ke-Ne)),kn||ja(0,j)),!kn&&!Un&&(ja(0,0),Ja(0,0))}if(Wn._x=kn,Wn._y=Un,v==null){if(P){if(s_!=null){let[pe,be]=Mn.scales;Mn.values[0]=pe!=null?as(I.ori==0?jt:sn,pe):null,Mn.values[1]=be!=null?as(I.ori==1?jt:sn,be):null}Qa(eg,n,jt,sn,U,Pe,L)}if(Je){let pe=P&&Mn.setSeries,be=Ue.prox;Nr==null?Is<=be&&os(or,Ro,!0,pe):Is>be?os(null,Ro,!0,pe):or!=Nr&&os(or,Ro,!0,pe)}}fe&&(de.idx=L,uf()),w!==!1&&On("setCursor")}let ar=null;Object.defineProperty(n,"rect",{get(){return ar==null&&Za(!1),ar}});function Za(v=!1){v?ar=null:(ar=f.getBoundingClientRect(),On("syncRect",ar))}function Y0(v,w,P,L,V,j,ae){ue._lock||sr&&v!=null&&v.movementX==0&&v.movementY==0||(df(v,w,P,L,V,j,ae,!1,v!=null),v!=null?Fr(null,!0,!0):Fr(w,!0,!1))}function df(v,w,P,L,V,j,ae,pe,be){if(ar==null&&Za(!1),je(v),v!=null)P=v.clientX-ar.left,L=v.clientY-ar.top;else{if(P<0||L<0){jt=-10,sn=-10;return}let[De,Ne]=Mn.scales,ke=w.cursor.sync,[it,Pt]=ke.values,[Et,_t]=ke.scales,[Ke,qe]=Mn.match,Zt=w.axes[0].side%2==1,dn=I.ori==0?U:Pe,Bn=I.ori==1?U:Pe,zt=Zt?j:V,pn=Zt?V:j,bi=Zt?L:P,ti=Zt?P:L;if(Et!=null?P=Ke(De,Et)?a(it,S[De],dn,0):-10:P=dn*(bi/zt),_t!=null?L=qe(Ne,_t)?a(Pt,S[Ne],Bn,0):-10:L=Bn*(ti/pn),I.ori==1){let Di=P;P=L,L=Di}}be&&(w==null||w.cursor.event.type==eg)&&((P<=1||P>=U-1)&&(P=io(P,U)),(L<=1||L>=Pe-1)&&(L=io(L,Pe))),pe?(G0=P,H0=L,[To,Co]=ue.move(n,P,L)):(jt=P,sn=L)}let pf={width:0,height:0,left:0,top:0};function ff(){Gc(pf,!1)}let K0,j0,J0,Z0;function Q0(v,w,P,L,V,j,ae){sr=!0,kn=Un=Wn._x=Wn._y=!1,df(v,w,P,L,V,j,ae,!0,!1),v!=null&&(St(tg,og,e_,!1),Qa(ax,n,To,Co,U,Pe,null));let{left:pe,top:be,width:De,height:Ne}=Jt;K0=pe,j0=be,J0=De,Z0=Ne}function e_(v,w,P,L,V,j,ae){sr=Wn._x=Wn._y=!1,df(v,w,P,L,V,j,ae,!1,!0);let{left:pe,top:be,width:De,height:Ne}=Jt,ke=De>0||Ne>0,it=K0!=pe||j0!=be||J0!=De||Z0!=Ne;if(ke&&it&&Gc(Jt),Wn.setScale&&ke&&it){let Pt=pe,Et=De,_t=be,Ke=Ne;if(I.ori==1&&(Pt=be,Et=Ne,_t=pe,Ke=De),kn&&rr(E,as(Pt,E),as(Pt+Et,E)),Un)for(let qe in S){let Zt=S[qe];qe!=E&&Zt.from==null&&Zt.min!=Gt&&rr(qe,as(_t+Ke,qe),as(_t,qe))}ff()}else ue.lock&&(ue._lock=!ue._lock,Fr(w,!0,v!=null));v!=null&&(Cn(tg,og),Qa(tg,n,jt,sn,U,Pe,null))}function FS(v,w,P,L,V,j,ae){if(ue._lock)return;je(v);let pe=sr;if(sr){let be=!0,De=!0,Ne=10,ke,it;I.ori==0?(ke=kn,it=Un):(ke=Un,it=kn),ke&&it&&(be=jt<=Ne||jt>=U-Ne,De=sn<=Ne||sn>=Pe-Ne),ke&&be&&(jt=jt<To?0:U),it&&De&&(sn=sn<Co?0:Pe),Fr(null,!0,!0),sr=!1}jt=-10,sn=-10,se.fill(null),Fr(null,!0,!0),pe&&(sr=pe)}function t_(v,w,P,L,V,j,ae){ue._lock||(je(v),Ka(),ff(),v!=null&&Qa(hx,n,jt,sn,U,Pe,null))}function n_(){C.forEach(cI),k(n.width,n.height,!0)}oo(ip,Sa,n_);let Io={};Io.mousedown=Q0,Io.mousemove=Y0,Io.mouseup=e_,Io.dblclick=t_,Io.setSeries=(v,w,P,L)=>{let V=Mn.match[2];P=V(n,w,P),P!=-1&&os(P,L,!0,!1)},me&&(St(ax,f,Q0),St(eg,f,Y0),St(lx,f,v=>{je(v),Za(!1)}),St(cx,f,FS),St(hx,f,t_),fg.add(n),n.syncRect=Za);let Hc=n.hooks=i.hooks||{};function On(v,w,P){ei?Ot.push([v,w,P]):v in Hc&&Hc[v].forEach(L=>{L.call(null,n,w,P)})}(i.plugins||[]).forEach(v=>{for(let w in v.hooks)Hc[w]=(Hc[w]||[]).concat(v.hooks[w])});let i_=(v,w,P)=>P,Mn=Tn({key:null,setSeries:!1,filters:{pub:xx,sub:xx},scales:[E,b[1]?b[1].scale:null],match:[wx,wx,i_],values:[null,null]},ue.sync);Mn.match.length==2&&Mn.match.push(i_),ue.sync=Mn;let s_=Mn.key,mf=_w(s_);function Qa(v,w,P,L,V,j,ae){Mn.filters.pub(v,w,P,L,V,j,ae)&&mf.pub(v,w,P,L,V,j,ae)}mf.sub(n);function kS(v,w,P,L,V,j,ae){Mn.filters.sub(v,w,P,L,V,j,ae)&&Io[v](null,w,P,L,V,j,ae)}n.pub=kS;function US(){mf.unsub(n),fg.delete(n),Fn.clear(),cg(ip,Sa,n_),c.remove(),Te?.remove(),On("destroy")}n.destroy=US;function gf(){On("init",i,e),Ya(e||i.data,!1),W[E]?lf(E,W[E]):Ka(),ie=Jt.show&&(Jt.width>0||Jt.height>0),te=fe=!0,k(i.width,i.height)}return b.forEach(xo),C.forEach(Ts),t?t instanceof HTMLElement?(t.appendChild(c),gf()):t(n,gf):gf(),n}Gn.assign=Tn;Gn.fmtNum=xg;Gn.rangeNum=sp;Gn.rangeLog=ap;Gn.rangeAsinh=yg;Gn.orient=lo;Gn.pxRatio=Rt;Gn.join=e3;Gn.fmtDate=Mg,Gn.tzDate=u3;Gn.sync=_w;{Gn.addGap=$3,Gn.clipGaps=hp;let i=Gn.paths={points:Sw};i.linear=Ew,i.stepped=j3,i.bars=J3,i.spline=Q3}var Rg=60,hI=30,uI=3,fp=class{constructor(e,t,n,s,r){this.app=e;this.topic=t;this.type=n;this.path=s;this.colour=r}app;topic;type;path;colour;times=[];values=[];stop=null;get label(){return`${this.topic} ${this.path}`}get last(){return this.values.at(-1)??null}show(){this.stop??=this.app.topics.want(this.topic,hI,e=>this.take(e))}hide(){this.stop?.(),this.stop=null}clear(){this.times.length=this.values.length=0}take(e){let t=e.stamp_ns*1e-9,n=this.times.at(-1)??t;if(t<n)this.clear();else{if(t===n&&this.times.length)return;t-n>uI&&this.push(n+.001,null)}let s=Ub($t(e.type,e.cdr),this.path);this.push(t,Number.isFinite(s)?s:null);let r=0;for(;r<this.times.length&&this.times[r]<t-Rg;)r+=1;r&&(this.times.splice(0,r),this.values.splice(0,r))}push(e,t){this.times.push(e),this.values.push(t)}};var Rw=["#5cc8ff","#ffb454","#7ee787","#ff7b9c","#c9a6ff","#f2e16b","#4fd6c2","#ff9e7a"],Iw=190,dI=100,Lw=2;function pI(i,e){if(i===null||e===null)return[0,1];let t=Math.max(.08*(e-i),1e-4*Math.abs(e+i),1e-6);return[i-t,e+t]}var Ig=class{element=X("div",{class:"plot"});series=[];paused=!1;chart=null;zoomed=!1;holder=X("div",{class:"chart"});legend=X("div",{class:"legend"});hold;constructor(e){this.hold=tt("pause","hold this plot",()=>this.setPaused(!this.paused));let t=tt("trash","clear",()=>this.series.forEach(s=>s.clear())),n=tt("close","close",()=>e(this));this.element.append(X("div",{class:"tools"},this.legend,X("span",{class:"spring"}),this.hold,t,n),this.holder)}add(e){this.series.push(e),this.rebuild()}draw(){if(this.rebuildIfWider(),!this.chart||this.paused)return;let e=this.series.map(n=>[n.times,n.values]),t=e.length>1?Gn.join(e):e[0]??[[]];this.chart.setData(t,!1),this.zoomed||this.followEnd(),this.series.forEach((n,s)=>{let r=this.legend.children[s]?.querySelector("output");r&&(r.textContent=n.last===null?"\u2013":ba(n.last))})}destroy(){this.chart?.destroy(),this.series.forEach(e=>e.hide()),this.element.remove()}setPaused(e){this.paused=e,eo(this.hold,e?"play":"pause"),this.hold.title=e?"go on":"hold this plot"}followEnd(){let e=Math.max(...this.series.map(n=>n.times.at(-1)??0),Lw),t=Math.min(...this.series.map(n=>n.times[0]??e),e-Lw);this.chart?.setScale("x",{min:Math.max(t,e-Rg),max:e})}rebuildIfWider(){let e=this.holder.clientWidth;this.chart&&e>0&&e!==this.chart.width?this.chart.setSize({width:e,height:Iw}):!this.chart&&e>0&&this.rebuild()}rebuild(){this.legend.replaceChildren(...this.series.map(s=>this.entry(s)));let e=this.holder.clientWidth;if(this.chart?.destroy(),this.chart=null,!e||!this.series.length)return;let t={stroke:"#9aa7b1",grid:{stroke:"#ffffff12",width:1},ticks:{stroke:"#ffffff20",width:1},font:"11px system-ui"},n={width:e,height:Iw,legend:{show:!1},cursor:{drag:{x:!0,y:!1}},scales:{x:{time:!1},y:{range:(s,r,o)=>pI(r,o)}},axes:[{...t,values:(s,r)=>r.map(o=>`${Number(o.toFixed(3))} s`)},{...t,size:56}],series:[{},...this.series.map(s=>({label:s.label,stroke:s.colour,width:1.5,spanGaps:!1,points:{show:!1}}))],hooks:{setSelect:[()=>this.zoomed=!0]}};this.chart=new Gn(n,[[],...this.series.map(()=>[])],this.holder),this.chart.over.addEventListener("dblclick",()=>this.zoomed=!1),this.draw()}entry(e){let t=tt("close",`take ${e.path} out`,()=>{e.hide(),this.series.splice(this.series.indexOf(e),1),this.rebuild()}),n=X("i",{style:`background:${e.colour}`});return X("span",{class:"entry",title:e.label},n,e.path,X("output"),t)}},mp=class{constructor(e){this.app=e;let t=tt("plus","put the next number into a plot of its own",()=>this.fresh=!0,"new plot"),n=tt("trash","close all plots",()=>[...this.plots].forEach(s=>this.close(s)));this.element.append(X("div",{class:"tools"},t,X("span",{class:"spring"}),n),this.list,this.empty)}app;title="Plots";element=X("div",{class:"plots"});list=X("div",{class:"scroll"});empty=X("p",{class:"dim"},"Choose a topic under Topics and press + beside a number.");plots=[];timer=0;seen=!1;fresh=!0;colour=0;add(e,t,n){if(this.plots.some(r=>r.series.some(o=>o.topic===e&&o.path===n))){this.app.notice(`${e} ${n} is plotted already`);return}if(this.fresh||!this.plots.length){let r=new Ig(o=>this.close(o));this.plots.push(r),this.list.append(r.element)}this.fresh=!1;let s=new fp(this.app,e,t,n,Rw[this.colour++%Rw.length]);this.plots.at(-1).add(s),this.seen&&s.show(),this.empty.hidden=!0,this.app.notice(`plotting ${e} ${n}`)}show(){this.seen=!0;for(let e of this.plots)e.series.forEach(t=>t.show());this.timer=window.setInterval(()=>this.plots.forEach(e=>e.draw()),dI)}hide(){this.seen=!1;for(let e of this.plots)e.series.forEach(t=>t.hide());window.clearInterval(this.timer)}close(e){e.destroy(),this.plots=this.plots.filter(t=>t!==e),this.empty.hidden=this.plots.length>0}};function Yt(i){return i==null}function u0(i){return i!==null&&typeof i=="object"}function zg(i){return i!==null&&typeof i=="object"}function fI(i,e){if(i.length!==e.length)return!1;for(let t=0;t<i.length;t++)if(i[t]!==e[t])return!1;return!0}function uo(i,e){return Array.from(new Set([...Object.keys(i),...Object.keys(e)])).reduce((n,s)=>{let r=i[s],o=e[s];return zg(r)&&zg(o)?Object.assign(Object.assign({},n),{[s]:uo(r,o)}):Object.assign(Object.assign({},n),{[s]:s in e?o:r})},{})}function d0(i){return u0(i)?"target"in i:!1}var mI={alreadydisposed:()=>"View has been already disposed",invalidparams:i=>`Invalid parameters for '${i.name}'`,nomatchingcontroller:i=>`No matching controller for '${i.key}'`,nomatchingview:i=>`No matching view for '${JSON.stringify(i.params)}'`,notbindable:()=>"Value is not bindable",notcompatible:i=>`Not compatible with  plugin '${i.id}'`,propertynotfound:i=>`Property '${i.name}' not found`,shouldneverhappen:()=>"This error should never happen"},Hn=class i{static alreadyDisposed(){return new i({type:"alreadydisposed"})}static notBindable(){return new i({type:"notbindable"})}static notCompatible(e,t){return new i({type:"notcompatible",context:{id:`${e}.${t}`}})}static propertyNotFound(e){return new i({type:"propertynotfound",context:{name:e}})}static shouldNeverHappen(){return new i({type:"shouldneverhappen"})}constructor(e){var t;this.message=(t=mI[e.type](e.context))!==null&&t!==void 0?t:"Unexpected error",this.name=this.constructor.name,this.stack=new Error(this.message).stack,this.type=e.type}toString(){return this.message}},yp=class i{constructor(e,t){this.obj_=e,this.key=t}static isBindable(e){return!(e===null||typeof e!="object"&&typeof e!="function")}read(){return this.obj_[this.key]}write(e){this.obj_[this.key]=e}writeProperty(e,t){let n=this.read();if(!i.isBindable(n))throw Hn.notBindable();if(!(e in n))throw Hn.propertyNotFound(e);n[e]=t}},fn=class{constructor(){this.observers_={}}on(e,t,n){var s;let r=this.observers_[e];return r||(r=this.observers_[e]=[]),r.push({handler:t,key:(s=n?.key)!==null&&s!==void 0?s:t}),this}off(e,t){let n=this.observers_[e];return n&&(this.observers_[e]=n.filter(s=>s.key!==t)),this}emit(e,t){let n=this.observers_[e];n&&n.forEach(s=>{s.handler(t)})}},Vg=class{constructor(e,t){var n;this.constraint_=t?.constraint,this.equals_=(n=t?.equals)!==null&&n!==void 0?n:((s,r)=>s===r),this.emitter=new fn,this.rawValue_=e}get constraint(){return this.constraint_}get rawValue(){return this.rawValue_}set rawValue(e){this.setRawValue(e,{forceEmit:!1,last:!0})}setRawValue(e,t){let n=t??{forceEmit:!1,last:!0},s=this.constraint_?this.constraint_.constrain(e):e,r=this.rawValue_;this.equals_(r,s)&&!n.forceEmit||(this.emitter.emit("beforechange",{sender:this}),this.rawValue_=s,this.emitter.emit("change",{options:n,previousRawValue:r,rawValue:s,sender:this}))}},Gg=class{constructor(e){this.emitter=new fn,this.value_=e}get rawValue(){return this.value_}set rawValue(e){this.setRawValue(e,{forceEmit:!1,last:!0})}setRawValue(e,t){let n=t??{forceEmit:!1,last:!0},s=this.value_;s===e&&!n.forceEmit||(this.emitter.emit("beforechange",{sender:this}),this.value_=e,this.emitter.emit("change",{options:n,previousRawValue:s,rawValue:this.value_,sender:this}))}},Hg=class{constructor(e){this.emitter=new fn,this.onValueBeforeChange_=this.onValueBeforeChange_.bind(this),this.onValueChange_=this.onValueChange_.bind(this),this.value_=e,this.value_.emitter.on("beforechange",this.onValueBeforeChange_),this.value_.emitter.on("change",this.onValueChange_)}get rawValue(){return this.value_.rawValue}onValueBeforeChange_(e){this.emitter.emit("beforechange",Object.assign(Object.assign({},e),{sender:this}))}onValueChange_(e){this.emitter.emit("change",Object.assign(Object.assign({},e),{sender:this}))}};function rn(i,e){let t=e?.constraint,n=e?.equals;return!t&&!n?new Gg(i):new Vg(i,e)}function gI(i){return[new Hg(i),(e,t)=>{i.setRawValue(e,t)}]}var mt=class i{constructor(e){this.emitter=new fn,this.valMap_=e;for(let t in this.valMap_)this.valMap_[t].emitter.on("change",()=>{this.emitter.emit("change",{key:t,sender:this})})}static createCore(e){return Object.keys(e).reduce((n,s)=>Object.assign(n,{[s]:rn(e[s])}),{})}static fromObject(e){let t=this.createCore(e);return new i(t)}get(e){return this.valMap_[e].rawValue}set(e,t){this.valMap_[e].rawValue=t}value(e){return this.valMap_[e]}},po=class{constructor(e){this.values=mt.fromObject({max:e.max,min:e.min})}constrain(e){let t=this.values.get("max"),n=this.values.get("min");return Math.min(Math.max(e,n),t)}},Wg=class{constructor(e){this.values=mt.fromObject({max:e.max,min:e.min})}constrain(e){let t=this.values.get("max"),n=this.values.get("min"),s=e;return Yt(n)||(s=Math.max(s,n)),Yt(t)||(s=Math.min(s,t)),s}},qg=class{constructor(e,t=0){this.step=e,this.origin=t}constrain(e){let t=this.origin%this.step,n=Math.round((e-t)/this.step);return t+n*this.step}},Xg=class{constructor(e){this.text=e}evaluate(){return Number(this.text)}toString(){return this.text}},vI={"**":(i,e)=>Math.pow(i,e),"*":(i,e)=>i*e,"/":(i,e)=>i/e,"%":(i,e)=>i%e,"+":(i,e)=>i+e,"-":(i,e)=>i-e,"<<":(i,e)=>i<<e,">>":(i,e)=>i>>e,">>>":(i,e)=>i>>>e,"&":(i,e)=>i&e,"^":(i,e)=>i^e,"|":(i,e)=>i|e},$g=class{constructor(e,t,n){this.left=t,this.operator=e,this.right=n}evaluate(){let e=vI[this.operator];if(!e)throw new Error(`unexpected binary operator: '${this.operator}`);return e(this.left.evaluate(),this.right.evaluate())}toString(){return["b(",this.left.toString(),this.operator,this.right.toString(),")"].join(" ")}},_I={"+":i=>i,"-":i=>-i,"~":i=>~i},Yg=class{constructor(e,t){this.operator=e,this.expression=t}evaluate(){let e=_I[this.operator];if(!e)throw new Error(`unexpected unary operator: '${this.operator}`);return e(this.expression.evaluate())}toString(){return["u(",this.operator,this.expression.toString(),")"].join(" ")}};function p0(i){return(e,t)=>{for(let n=0;n<i.length;n++){let s=i[n](e,t);if(s!=="")return s}return""}}function fc(i,e){var t;let n=i.substr(e).match(/^\s+/);return(t=n&&n[0])!==null&&t!==void 0?t:""}function yI(i,e){let t=i.substr(e,1);return t.match(/^[1-9]$/)?t:""}function mc(i,e){var t;let n=i.substr(e).match(/^[0-9]+/);return(t=n&&n[0])!==null&&t!==void 0?t:""}function bI(i,e){let t=mc(i,e);if(t!=="")return t;let n=i.substr(e,1);if(e+=1,n!=="-"&&n!=="+")return"";let s=mc(i,e);return s===""?"":n+s}function f0(i,e){let t=i.substr(e,1);if(e+=1,t.toLowerCase()!=="e")return"";let n=bI(i,e);return n===""?"":t+n}function iM(i,e){let t=i.substr(e,1);if(t==="0")return t;let n=yI(i,e);return e+=n.length,n===""?"":n+mc(i,e)}function xI(i,e){let t=iM(i,e);if(e+=t.length,t==="")return"";let n=i.substr(e,1);if(e+=n.length,n!==".")return"";let s=mc(i,e);return e+=s.length,t+n+s+f0(i,e)}function wI(i,e){let t=i.substr(e,1);if(e+=t.length,t!==".")return"";let n=mc(i,e);return e+=n.length,n===""?"":t+n+f0(i,e)}function MI(i,e){let t=iM(i,e);return e+=t.length,t===""?"":t+f0(i,e)}var SI=p0([xI,wI,MI]);function AI(i,e){var t;let n=i.substr(e).match(/^[01]+/);return(t=n&&n[0])!==null&&t!==void 0?t:""}function EI(i,e){let t=i.substr(e,2);if(e+=t.length,t.toLowerCase()!=="0b")return"";let n=AI(i,e);return n===""?"":t+n}function TI(i,e){var t;let n=i.substr(e).match(/^[0-7]+/);return(t=n&&n[0])!==null&&t!==void 0?t:""}function CI(i,e){let t=i.substr(e,2);if(e+=t.length,t.toLowerCase()!=="0o")return"";let n=TI(i,e);return n===""?"":t+n}function PI(i,e){var t;let n=i.substr(e).match(/^[0-9a-f]+/i);return(t=n&&n[0])!==null&&t!==void 0?t:""}function RI(i,e){let t=i.substr(e,2);if(e+=t.length,t.toLowerCase()!=="0x")return"";let n=PI(i,e);return n===""?"":t+n}var II=p0([EI,CI,RI]),LI=p0([II,SI]);function DI(i,e){let t=LI(i,e);return e+=t.length,t===""?null:{evaluable:new Xg(t),cursor:e}}function NI(i,e){let t=i.substr(e,1);if(e+=t.length,t!=="(")return null;let n=rM(i,e);if(!n)return null;e=n.cursor,e+=fc(i,e).length;let s=i.substr(e,1);return e+=s.length,s!==")"?null:{evaluable:n.evaluable,cursor:e}}function FI(i,e){var t;return(t=DI(i,e))!==null&&t!==void 0?t:NI(i,e)}function sM(i,e){let t=FI(i,e);if(t)return t;let n=i.substr(e,1);if(e+=n.length,n!=="+"&&n!=="-"&&n!=="~")return null;let s=sM(i,e);return s?(e=s.cursor,{cursor:e,evaluable:new Yg(n,s.evaluable)}):null}function kI(i,e,t){t+=fc(e,t).length;let n=i.filter(s=>e.startsWith(s,t))[0];return n?(t+=n.length,t+=fc(e,t).length,{cursor:t,operator:n}):null}function UI(i,e){return(t,n)=>{let s=i(t,n);if(!s)return null;n=s.cursor;let r=s.evaluable;for(;;){let o=kI(e,t,n);if(!o)break;n=o.cursor;let a=i(t,n);if(!a)return null;n=a.cursor,r=new $g(o.operator,r,a.evaluable)}return r?{cursor:n,evaluable:r}:null}}var OI=[["**"],["*","/","%"],["+","-"],["<<",">>>",">>"],["&"],["^"],["|"]].reduce((i,e)=>UI(i,e),sM);function rM(i,e){return e+=fc(i,e).length,OI(i,e)}function BI(i){let e=rM(i,0);return!e||e.cursor+fc(i,e.cursor).length!==i.length?null:e.evaluable}function Ks(i){var e;let t=BI(i);return(e=t?.evaluate())!==null&&e!==void 0?e:null}function oM(i){if(typeof i=="number")return i;if(typeof i=="string"){let e=Ks(i);if(!Yt(e))return e}return 0}function zI(i){return String(i)}function _i(i){return e=>e.toFixed(Math.max(Math.min(i,20),0))}function Ft(i,e,t,n,s){let r=(i-e)/(t-e);return n+r*(s-n)}function Dw(i){return String(i.toFixed(10)).split(".")[1].replace(/0+$/,"").length}function Nn(i,e,t){return Math.min(Math.max(i,e),t)}function aM(i,e){return(i%e+e)%e}function VI(i,e){return Yt(i.step)?Math.max(Dw(e),2):Dw(i.step)}function lM(i){var e;return(e=i.step)!==null&&e!==void 0?e:1}function cM(i,e){var t;let n=Math.abs((t=i.step)!==null&&t!==void 0?t:e);return n===0?.1:Math.pow(10,Math.floor(Math.log10(n))-1)}function hM(i,e){return Yt(i.step)?null:new qg(i.step,e)}function uM(i){return!Yt(i.max)&&!Yt(i.min)?new po({max:i.max,min:i.min}):!Yt(i.max)||!Yt(i.min)?new Wg({max:i.max,min:i.min}):null}function dM(i,e){var t,n,s;return{formatter:(t=i.format)!==null&&t!==void 0?t:_i(VI(i,e)),keyScale:(n=i.keyScale)!==null&&n!==void 0?n:lM(i),pointerScale:(s=i.pointerScale)!==null&&s!==void 0?s:cM(i,e)}}function pM(i){return{format:i.optional.function,keyScale:i.optional.number,max:i.optional.number,min:i.optional.number,pointerScale:i.optional.number,step:i.optional.number}}function m0(i){return{constraint:i.constraint,textProps:mt.fromObject(dM(i.params,i.initialValue))}}var js=class{constructor(e){this.controller=e}get element(){return this.controller.view.element}get disabled(){return this.controller.viewProps.get("disabled")}set disabled(e){this.controller.viewProps.set("disabled",e)}get hidden(){return this.controller.viewProps.get("hidden")}set hidden(e){this.controller.viewProps.set("hidden",e)}dispose(){this.controller.viewProps.set("disposed",!0)}importState(e){return this.controller.importState(e)}exportState(){return this.controller.exportState()}},Na=class{constructor(e){this.target=e}},fo=class extends Na{constructor(e,t,n){super(e),this.value=t,this.last=n??!0}},Kg=class extends Na{constructor(e,t){super(e),this.expanded=t}},jg=class extends Na{constructor(e,t){super(e),this.index=t}},Jg=class extends Na{constructor(e,t){super(e),this.native=t}},mo=class extends js{constructor(e){super(e),this.onValueChange_=this.onValueChange_.bind(this),this.emitter_=new fn,this.controller.value.emitter.on("change",this.onValueChange_)}get label(){return this.controller.labelController.props.get("label")}set label(e){this.controller.labelController.props.set("label",e)}get key(){return this.controller.value.binding.target.key}get tag(){return this.controller.tag}set tag(e){this.controller.tag=e}on(e,t){let n=t.bind(this);return this.emitter_.on(e,s=>{n(s)},{key:t}),this}off(e,t){return this.emitter_.off(e,t),this}refresh(){this.controller.value.fetch()}onValueChange_(e){let t=this.controller.value;this.emitter_.emit("change",new fo(this,t.binding.target.read(),e.options.last))}},Zg=class{constructor(e,t){this.onValueBeforeChange_=this.onValueBeforeChange_.bind(this),this.onValueChange_=this.onValueChange_.bind(this),this.binding=t,this.value_=e,this.value_.emitter.on("beforechange",this.onValueBeforeChange_),this.value_.emitter.on("change",this.onValueChange_),this.emitter=new fn}get rawValue(){return this.value_.rawValue}set rawValue(e){this.value_.rawValue=e}setRawValue(e,t){this.value_.setRawValue(e,t)}fetch(){this.value_.rawValue=this.binding.read()}push(){this.binding.write(this.value_.rawValue)}onValueBeforeChange_(e){this.emitter.emit("beforechange",Object.assign(Object.assign({},e),{sender:this}))}onValueChange_(e){this.push(),this.emitter.emit("change",Object.assign(Object.assign({},e),{sender:this}))}};function GI(i){if(!("binding"in i))return!1;let e=i.binding;return d0(e)&&"read"in e&&"write"in e}function HI(i,e){let n=Object.keys(e).reduce((s,r)=>{if(s===void 0)return;let o=e[r],a=o(i[r]);return a.succeeded?Object.assign(Object.assign({},s),{[r]:a.value}):void 0},{});return n}function WI(i,e){return i.reduce((t,n)=>{if(t===void 0)return;let s=e(n);if(!(!s.succeeded||s.value===void 0))return[...t,s.value]},[])}function qI(i){return i===null?!1:typeof i=="object"}function Xs(i){return e=>t=>{if(!e&&t===void 0)return{succeeded:!1,value:void 0};if(e&&t===void 0)return{succeeded:!0,value:void 0};let n=i(t);return n!==void 0?{succeeded:!0,value:n}:{succeeded:!1,value:void 0}}}function Nw(i){return{custom:e=>Xs(e)(i),boolean:Xs(e=>typeof e=="boolean"?e:void 0)(i),number:Xs(e=>typeof e=="number"?e:void 0)(i),string:Xs(e=>typeof e=="string"?e:void 0)(i),function:Xs(e=>typeof e=="function"?e:void 0)(i),constant:e=>Xs(t=>t===e?e:void 0)(i),raw:Xs(e=>e)(i),object:e=>Xs(t=>{if(qI(t))return HI(t,e)})(i),array:e=>Xs(t=>{if(Array.isArray(t))return WI(t,e)})(i)}}var Qg={optional:Nw(!0),required:Nw(!1)};function ln(i,e){let t=e(Qg),n=Qg.required.object(t)(i);return n.succeeded?n.value:void 0}function Ii(i,e,t,n){if(e&&!e(i))return!1;let s=ln(i,t);return s?n(s):!1}function Li(i,e){var t;return uo((t=i?.())!==null&&t!==void 0?t:{},e)}function ho(i){return"value"in i}function fM(i){if(!u0(i)||!("binding"in i))return!1;let e=i.binding;return d0(e)}var ws="http://www.w3.org/2000/svg";function bp(i){i.offsetHeight}function XI(i,e){let t=i.style.transition;i.style.transition="none",e(),i.style.transition=t}function g0(i){return i.ontouchstart!==void 0}function $I(){return globalThis}function YI(){return $I().document}function KI(i){let e=i.ownerDocument.defaultView;return e&&"document"in e?i.getContext("2d",{willReadFrequently:!0}):null}var jI={check:'<path d="M2 8l4 4l8 -8"/>',dropdown:'<path d="M5 7h6l-3 3 z"/>',p2dpad:'<path d="M8 4v8"/><path d="M4 8h8"/><circle cx="12" cy="12" r="1.2"/>'};function Np(i,e){let t=i.createElementNS(ws,"svg");return t.innerHTML=jI[e],t}function mM(i,e,t){i.insertBefore(e,i.children[t])}function v0(i){i.parentElement&&i.parentElement.removeChild(i)}function gM(i){for(;i.children.length>0;)i.removeChild(i.children[0])}function JI(i){for(;i.childNodes.length>0;)i.removeChild(i.childNodes[0])}function vM(i){return i.relatedTarget?i.relatedTarget:"explicitOriginalTarget"in i?i.explicitOriginalTarget:null}function Ys(i,e){i.emitter.on("change",t=>{e(t.rawValue)}),e(i.rawValue)}function Ss(i,e,t){Ys(i.value(e),t)}var ZI="tp";function At(i){return(t,n)=>[ZI,"-",i,"v",t?`_${t}`:"",n?`-${n}`:""].join("")}var hc=At("lbl");function QI(i,e){let t=i.createDocumentFragment();return e.split(`
`).map(s=>i.createTextNode(s)).forEach((s,r)=>{r>0&&t.appendChild(i.createElement("br")),t.appendChild(s)}),t}var xp=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(hc()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("div");n.classList.add(hc("l")),Ss(t.props,"label",r=>{Yt(r)?this.element.classList.add(hc(void 0,"nol")):(this.element.classList.remove(hc(void 0,"nol")),JI(n),n.appendChild(QI(e,r)))}),this.element.appendChild(n),this.labelElement=n;let s=e.createElement("div");s.classList.add(hc("v")),this.element.appendChild(s),this.valueElement=s}},wp=class{constructor(e,t){this.props=t.props,this.valueController=t.valueController,this.viewProps=t.valueController.viewProps,this.view=new xp(e,{props:t.props,viewProps:this.viewProps}),this.view.valueElement.appendChild(this.valueController.view.element)}importProps(e){return Ii(e,null,t=>({label:t.optional.string}),t=>(this.props.set("label",t.label),!0))}exportProps(){return Li(null,{label:this.props.get("label")})}};function eL(){return["veryfirst","first","last","verylast"]}var Fw=At(""),kw={veryfirst:"vfst",first:"fst",last:"lst",verylast:"vlst"},Fa=class{constructor(e){this.parent_=null,this.blade=e.blade,this.view=e.view,this.viewProps=e.viewProps;let t=this.view.element;this.blade.value("positions").emitter.on("change",()=>{eL().forEach(n=>{t.classList.remove(Fw(void 0,kw[n]))}),this.blade.get("positions").forEach(n=>{t.classList.add(Fw(void 0,kw[n]))})}),this.viewProps.handleDispose(()=>{v0(t)})}get parent(){return this.parent_}set parent(e){this.parent_=e,this.viewProps.set("parent",this.parent_?this.parent_.viewProps:null)}importState(e){return Ii(e,null,t=>({disabled:t.required.boolean,hidden:t.required.boolean}),t=>(this.viewProps.importState(t),!0))}exportState(){return Li(null,Object.assign({},this.viewProps.exportState()))}},Js=class extends Fa{constructor(e,t){if(t.value!==t.valueController.value)throw Hn.shouldNeverHappen();let n=t.valueController.viewProps,s=new wp(e,{blade:t.blade,props:t.props,valueController:t.valueController});super(Object.assign(Object.assign({},t),{view:new xp(e,{props:t.props,viewProps:n}),viewProps:n})),this.labelController=s,this.value=t.value,this.valueController=t.valueController,this.view.valueElement.appendChild(this.valueController.view.element)}importState(e){return Ii(e,t=>{var n,s,r;return super.importState(t)&&this.labelController.importProps(t)&&((r=(s=(n=this.valueController).importProps)===null||s===void 0?void 0:s.call(n,e))!==null&&r!==void 0?r:!0)},t=>({value:t.optional.raw}),t=>(t.value&&(this.value.rawValue=t.value),!0))}exportState(){var e,t,n;return Li(()=>super.exportState(),Object.assign(Object.assign({value:this.value.rawValue},this.labelController.exportProps()),(n=(t=(e=this.valueController).exportProps)===null||t===void 0?void 0:t.call(e))!==null&&n!==void 0?n:{}))}};function Uw(i){let e=Object.assign({},i);return delete e.value,e}var Mp=class extends Js{constructor(e,t){super(e,t),this.tag=t.tag}importState(e){return Ii(e,t=>super.importState(Uw(e)),t=>({tag:t.optional.string}),t=>(this.tag=t.tag,!0))}exportState(){return Li(()=>Uw(super.exportState()),{binding:{key:this.value.binding.target.key,value:this.value.binding.target.read()},tag:this.tag})}};function tL(i){return ho(i)&&fM(i.value)}var ev=class extends Mp{importState(e){return Ii(e,t=>super.importState(t),t=>({binding:t.required.object({value:t.required.raw})}),t=>(this.value.binding.inject(t.binding.value),this.value.fetch(),!0))}};function nL(i){return ho(i)&&GI(i.value)}function _M(i,e){for(;i.length<e;)i.push(void 0)}function iL(i){let e=[];return _M(e,i),e}function sL(i){let e=i.indexOf(void 0);return e<0?i:i.slice(0,e)}function rL(i,e){let t=[...sL(i),e];return t.length>i.length?t.splice(0,t.length-i.length):_M(t,i.length),t}var tv=class{constructor(e){this.emitter=new fn,this.onTick_=this.onTick_.bind(this),this.onValueBeforeChange_=this.onValueBeforeChange_.bind(this),this.onValueChange_=this.onValueChange_.bind(this),this.binding=e.binding,this.value_=rn(iL(e.bufferSize)),this.value_.emitter.on("beforechange",this.onValueBeforeChange_),this.value_.emitter.on("change",this.onValueChange_),this.ticker=e.ticker,this.ticker.emitter.on("tick",this.onTick_),this.fetch()}get rawValue(){return this.value_.rawValue}set rawValue(e){this.value_.rawValue=e}setRawValue(e,t){this.value_.setRawValue(e,t)}fetch(){this.value_.rawValue=rL(this.value_.rawValue,this.binding.read())}onTick_(){this.fetch()}onValueBeforeChange_(e){this.emitter.emit("beforechange",Object.assign(Object.assign({},e),{sender:this}))}onValueChange_(e){this.emitter.emit("change",Object.assign(Object.assign({},e),{sender:this}))}};function oL(i){if(!("binding"in i))return!1;let e=i.binding;return d0(e)&&"read"in e&&!("write"in e)}var nv=class extends Mp{exportState(){return Li(()=>super.exportState(),{binding:{readonly:!0}})}};function aL(i){return ho(i)&&oL(i.value)}var iv=class extends js{get label(){return this.controller.labelController.props.get("label")}set label(e){this.controller.labelController.props.set("label",e)}get title(){var e;return(e=this.controller.buttonController.props.get("title"))!==null&&e!==void 0?e:""}set title(e){this.controller.buttonController.props.set("title",e)}on(e,t){let n=t.bind(this);return this.controller.buttonController.emitter.on(e,r=>{n(new Jg(this,r.nativeEvent))}),this}off(e,t){return this.controller.buttonController.emitter.off(e,t),this}};function lL(i,e,t){t?i.classList.add(e):i.classList.remove(e)}function Oa(i,e){return t=>{lL(i,e,t)}}function _0(i,e){Ys(i,t=>{e.textContent=t??""})}var Lg=At("btn"),sv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(Lg()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("button");n.classList.add(Lg("b")),t.viewProps.bindDisabled(n),this.element.appendChild(n),this.buttonElement=n;let s=e.createElement("div");s.classList.add(Lg("t")),_0(t.props.value("title"),s),this.buttonElement.appendChild(s)}},rv=class{constructor(e,t){this.emitter=new fn,this.onClick_=this.onClick_.bind(this),this.props=t.props,this.viewProps=t.viewProps,this.view=new sv(e,{props:this.props,viewProps:this.viewProps}),this.view.buttonElement.addEventListener("click",this.onClick_)}importProps(e){return Ii(e,null,t=>({title:t.optional.string}),t=>(this.props.set("title",t.title),!0))}exportProps(){return Li(null,{title:this.props.get("title")})}onClick_(e){this.emitter.emit("click",{nativeEvent:e,sender:this})}},Sp=class extends Fa{constructor(e,t){let n=new rv(e,{props:t.buttonProps,viewProps:t.viewProps}),s=new wp(e,{blade:t.blade,props:t.labelProps,valueController:n});super({blade:t.blade,view:s.view,viewProps:t.viewProps}),this.buttonController=n,this.labelController=s}importState(e){return Ii(e,t=>super.importState(t)&&this.buttonController.importProps(t)&&this.labelController.importProps(t),()=>({}),()=>!0)}exportState(){return Li(()=>super.exportState(),Object.assign(Object.assign({},this.buttonController.exportProps()),this.labelController.exportProps()))}},Ap=class{constructor(e){let[t,n]=e.split("-"),s=t.split(".");this.major=parseInt(s[0],10),this.minor=parseInt(s[1],10),this.patch=parseInt(s[2],10),this.prerelease=n??null}toString(){let e=[this.major,this.minor,this.patch].join(".");return this.prerelease!==null?[e,this.prerelease].join("-"):e}},Ba=new Ap("2.0.5");function di(i){return Object.assign({core:Ba},i)}var cL=di({id:"button",type:"blade",accept(i){let e=ln(i,t=>({title:t.required.string,view:t.required.constant("button"),label:t.optional.string}));return e?{params:e}:null},controller(i){return new Sp(i.document,{blade:i.blade,buttonProps:mt.fromObject({title:i.params.title}),labelProps:mt.fromObject({label:i.params.label}),viewProps:i.viewProps})},api(i){return i.controller instanceof Sp?new iv(i.controller):null}});function hL(i,e){return i.addBlade(Object.assign(Object.assign({},e),{view:"button"}))}function uL(i,e){return i.addBlade(Object.assign(Object.assign({},e),{view:"folder"}))}function dL(i,e){return i.addBlade(Object.assign(Object.assign({},e),{view:"tab"}))}function pL(i){return u0(i)?"refresh"in i&&typeof i.refresh=="function":!1}function fL(i,e){if(!yp.isBindable(i))throw Hn.notBindable();return new yp(i,e)}var ov=class{constructor(e,t){this.onRackValueChange_=this.onRackValueChange_.bind(this),this.controller_=e,this.emitter_=new fn,this.pool_=t,this.controller_.rack.emitter.on("valuechange",this.onRackValueChange_)}get children(){return this.controller_.rack.children.map(e=>this.pool_.createApi(e))}addBinding(e,t,n){let s=n??{},r=this.controller_.element.ownerDocument,o=this.pool_.createBinding(r,fL(e,t),s),a=this.pool_.createBindingApi(o);return this.add(a,s.index)}addFolder(e){return uL(this,e)}addButton(e){return hL(this,e)}addTab(e){return dL(this,e)}add(e,t){let n=e.controller;return this.controller_.rack.add(n,t),e}remove(e){this.controller_.rack.remove(e.controller)}addBlade(e){let t=this.controller_.element.ownerDocument,n=this.pool_.createBlade(t,e),s=this.pool_.createApi(n);return this.add(s,e.index)}on(e,t){let n=t.bind(this);return this.emitter_.on(e,s=>{n(s)},{key:t}),this}off(e,t){return this.emitter_.off(e,t),this}refresh(){this.children.forEach(e=>{pL(e)&&e.refresh()})}onRackValueChange_(e){let t=e.bladeController,n=this.pool_.createApi(t),s=fM(t.value)?t.value.binding:null;this.emitter_.emit("change",new fo(n,s?s.target.read():t.value.rawValue,e.options.last))}},gc=class extends js{constructor(e,t){super(e),this.rackApi_=new ov(e.rackController,t)}refresh(){this.rackApi_.refresh()}},vc=class extends Fa{constructor(e){super({blade:e.blade,view:e.view,viewProps:e.rackController.viewProps}),this.rackController=e.rackController}importState(e){return Ii(e,t=>super.importState(t),t=>({children:t.required.array(t.required.raw)}),t=>this.rackController.rack.children.every((n,s)=>n.importState(t.children[s])))}exportState(){return Li(()=>super.exportState(),{children:this.rackController.rack.children.map(e=>e.exportState())})}};function av(i){return"rackController"in i}var lv=class{constructor(e){this.emitter=new fn,this.items_=[],this.cache_=new Set,this.onSubListAdd_=this.onSubListAdd_.bind(this),this.onSubListRemove_=this.onSubListRemove_.bind(this),this.extract_=e}get items(){return this.items_}allItems(){return Array.from(this.cache_)}find(e){for(let t of this.allItems())if(e(t))return t;return null}includes(e){return this.cache_.has(e)}add(e,t){if(this.includes(e))throw Hn.shouldNeverHappen();let n=t!==void 0?t:this.items_.length;this.items_.splice(n,0,e),this.cache_.add(e);let s=this.extract_(e);s&&(s.emitter.on("add",this.onSubListAdd_),s.emitter.on("remove",this.onSubListRemove_),s.allItems().forEach(r=>{this.cache_.add(r)})),this.emitter.emit("add",{index:n,item:e,root:this,target:this})}remove(e){let t=this.items_.indexOf(e);if(t<0)return;this.items_.splice(t,1),this.cache_.delete(e);let n=this.extract_(e);n&&(n.allItems().forEach(s=>{this.cache_.delete(s)}),n.emitter.off("add",this.onSubListAdd_),n.emitter.off("remove",this.onSubListRemove_)),this.emitter.emit("remove",{index:t,item:e,root:this,target:this})}onSubListAdd_(e){this.cache_.add(e.item),this.emitter.emit("add",{index:e.index,item:e.item,root:this,target:e.target})}onSubListRemove_(e){this.cache_.delete(e.item),this.emitter.emit("remove",{index:e.index,item:e.item,root:this,target:e.target})}};function mL(i,e){for(let t=0;t<i.length;t++){let n=i[t];if(ho(n)&&n.value===e)return n}return null}function gL(i){return av(i)?i.rackController.rack.bcSet_:null}var cv=class{constructor(e){var t,n;this.emitter=new fn,this.onBladePositionsChange_=this.onBladePositionsChange_.bind(this),this.onSetAdd_=this.onSetAdd_.bind(this),this.onSetRemove_=this.onSetRemove_.bind(this),this.onChildDispose_=this.onChildDispose_.bind(this),this.onChildPositionsChange_=this.onChildPositionsChange_.bind(this),this.onChildValueChange_=this.onChildValueChange_.bind(this),this.onChildViewPropsChange_=this.onChildViewPropsChange_.bind(this),this.onRackLayout_=this.onRackLayout_.bind(this),this.onRackValueChange_=this.onRackValueChange_.bind(this),this.blade_=(t=e.blade)!==null&&t!==void 0?t:null,(n=this.blade_)===null||n===void 0||n.value("positions").emitter.on("change",this.onBladePositionsChange_),this.viewProps=e.viewProps,this.bcSet_=new lv(gL),this.bcSet_.emitter.on("add",this.onSetAdd_),this.bcSet_.emitter.on("remove",this.onSetRemove_)}get children(){return this.bcSet_.items}add(e,t){var n;(n=e.parent)===null||n===void 0||n.remove(e),e.parent=this,this.bcSet_.add(e,t)}remove(e){e.parent=null,this.bcSet_.remove(e)}find(e){return this.bcSet_.allItems().filter(e)}onSetAdd_(e){this.updatePositions_();let t=e.target===e.root;if(this.emitter.emit("add",{bladeController:e.item,index:e.index,root:t,sender:this}),!t)return;let n=e.item;if(n.viewProps.emitter.on("change",this.onChildViewPropsChange_),n.blade.value("positions").emitter.on("change",this.onChildPositionsChange_),n.viewProps.handleDispose(this.onChildDispose_),ho(n))n.value.emitter.on("change",this.onChildValueChange_);else if(av(n)){let s=n.rackController.rack;if(s){let r=s.emitter;r.on("layout",this.onRackLayout_),r.on("valuechange",this.onRackValueChange_)}}}onSetRemove_(e){this.updatePositions_();let t=e.target===e.root;if(this.emitter.emit("remove",{bladeController:e.item,root:t,sender:this}),!t)return;let n=e.item;if(ho(n))n.value.emitter.off("change",this.onChildValueChange_);else if(av(n)){let s=n.rackController.rack;if(s){let r=s.emitter;r.off("layout",this.onRackLayout_),r.off("valuechange",this.onRackValueChange_)}}}updatePositions_(){let e=this.bcSet_.items.filter(s=>!s.viewProps.get("hidden")),t=e[0],n=e[e.length-1];this.bcSet_.items.forEach(s=>{let r=[];s===t&&(r.push("first"),(!this.blade_||this.blade_.get("positions").includes("veryfirst"))&&r.push("veryfirst")),s===n&&(r.push("last"),(!this.blade_||this.blade_.get("positions").includes("verylast"))&&r.push("verylast")),s.blade.set("positions",r)})}onChildPositionsChange_(){this.updatePositions_(),this.emitter.emit("layout",{sender:this})}onChildViewPropsChange_(e){this.updatePositions_(),this.emitter.emit("layout",{sender:this})}onChildDispose_(){this.bcSet_.items.filter(t=>t.viewProps.get("disposed")).forEach(t=>{this.bcSet_.remove(t)})}onChildValueChange_(e){let t=mL(this.find(ho),e.sender);if(!t)throw Hn.alreadyDisposed();this.emitter.emit("valuechange",{bladeController:t,options:e.options,sender:this})}onRackLayout_(e){this.updatePositions_(),this.emitter.emit("layout",{sender:this})}onRackValueChange_(e){this.emitter.emit("valuechange",{bladeController:e.bladeController,options:e.options,sender:this})}onBladePositionsChange_(){this.updatePositions_()}},_c=class{constructor(e){this.onRackAdd_=this.onRackAdd_.bind(this),this.onRackRemove_=this.onRackRemove_.bind(this),this.element=e.element,this.viewProps=e.viewProps;let t=new cv({blade:e.root?void 0:e.blade,viewProps:e.viewProps});t.emitter.on("add",this.onRackAdd_),t.emitter.on("remove",this.onRackRemove_),this.rack=t,this.viewProps.handleDispose(()=>{for(let n=this.rack.children.length-1;n>=0;n--)this.rack.children[n].viewProps.set("disposed",!0)})}onRackAdd_(e){e.root&&mM(this.element,e.bladeController.view.element,e.index)}onRackRemove_(e){e.root&&v0(e.bladeController.view.element)}};function za(){return new mt({positions:rn([],{equals:fI})})}var yc=class i extends mt{constructor(e){super(e)}static create(e){let t={completed:!0,expanded:e,expandedHeight:null,shouldFixHeight:!1,temporaryExpanded:null},n=mt.createCore(t);return new i(n)}get styleExpanded(){var e;return(e=this.get("temporaryExpanded"))!==null&&e!==void 0?e:this.get("expanded")}get styleHeight(){if(!this.styleExpanded)return"0";let e=this.get("expandedHeight");return this.get("shouldFixHeight")&&!Yt(e)?`${e}px`:"auto"}bindExpandedClass(e,t){let n=()=>{this.styleExpanded?e.classList.add(t):e.classList.remove(t)};Ss(this,"expanded",n),Ss(this,"temporaryExpanded",n)}cleanUpTransition(){this.set("shouldFixHeight",!1),this.set("expandedHeight",null),this.set("completed",!0)}};function vL(i,e){let t=0;return XI(e,()=>{i.set("expandedHeight",null),i.set("temporaryExpanded",!0),bp(e),t=e.clientHeight,i.set("temporaryExpanded",null),bp(e)}),t}function Ow(i,e){e.style.height=i.styleHeight}function y0(i,e){i.value("expanded").emitter.on("beforechange",()=>{if(i.set("completed",!1),Yt(i.get("expandedHeight"))){let t=vL(i,e);t>0&&i.set("expandedHeight",t)}i.set("shouldFixHeight",!0),bp(e)}),i.emitter.on("change",()=>{Ow(i,e)}),Ow(i,e),e.addEventListener("transitionend",t=>{t.propertyName==="height"&&i.cleanUpTransition()})}var Ep=class extends gc{constructor(e,t){super(e,t),this.emitter_=new fn,this.controller.foldable.value("expanded").emitter.on("change",n=>{this.emitter_.emit("fold",new Kg(this,n.sender.rawValue))}),this.rackApi_.on("change",n=>{this.emitter_.emit("change",n)})}get expanded(){return this.controller.foldable.get("expanded")}set expanded(e){this.controller.foldable.set("expanded",e)}get title(){return this.controller.props.get("title")}set title(e){this.controller.props.set("title",e)}get children(){return this.rackApi_.children}addBinding(e,t,n){return this.rackApi_.addBinding(e,t,n)}addFolder(e){return this.rackApi_.addFolder(e)}addButton(e){return this.rackApi_.addButton(e)}addTab(e){return this.rackApi_.addTab(e)}add(e,t){return this.rackApi_.add(e,t)}remove(e){this.rackApi_.remove(e)}addBlade(e){return this.rackApi_.addBlade(e)}on(e,t){let n=t.bind(this);return this.emitter_.on(e,s=>{n(s)},{key:t}),this}off(e,t){return this.emitter_.off(e,t),this}},yM=At("cnt"),hv=class{constructor(e,t){var n;this.className_=At((n=t.viewName)!==null&&n!==void 0?n:"fld"),this.element=e.createElement("div"),this.element.classList.add(this.className_(),yM()),t.viewProps.bindClassModifiers(this.element),this.foldable_=t.foldable,this.foldable_.bindExpandedClass(this.element,this.className_(void 0,"expanded")),Ss(this.foldable_,"completed",Oa(this.element,this.className_(void 0,"cpl")));let s=e.createElement("button");s.classList.add(this.className_("b")),Ss(t.props,"title",c=>{Yt(c)?this.element.classList.add(this.className_(void 0,"not")):this.element.classList.remove(this.className_(void 0,"not"))}),t.viewProps.bindDisabled(s),this.element.appendChild(s),this.buttonElement=s;let r=e.createElement("div");r.classList.add(this.className_("i")),this.element.appendChild(r);let o=e.createElement("div");o.classList.add(this.className_("t")),_0(t.props.value("title"),o),this.buttonElement.appendChild(o),this.titleElement=o;let a=e.createElement("div");a.classList.add(this.className_("m")),this.buttonElement.appendChild(a);let l=e.createElement("div");l.classList.add(this.className_("c")),this.element.appendChild(l),this.containerElement=l}},bc=class extends vc{constructor(e,t){var n;let s=yc.create((n=t.expanded)!==null&&n!==void 0?n:!0),r=new hv(e,{foldable:s,props:t.props,viewName:t.root?"rot":void 0,viewProps:t.viewProps});super(Object.assign(Object.assign({},t),{rackController:new _c({blade:t.blade,element:r.containerElement,root:t.root,viewProps:t.viewProps}),view:r})),this.onTitleClick_=this.onTitleClick_.bind(this),this.props=t.props,this.foldable=s,y0(this.foldable,this.view.containerElement),this.rackController.rack.emitter.on("add",()=>{this.foldable.cleanUpTransition()}),this.rackController.rack.emitter.on("remove",()=>{this.foldable.cleanUpTransition()}),this.view.buttonElement.addEventListener("click",this.onTitleClick_)}get document(){return this.view.element.ownerDocument}importState(e){return Ii(e,t=>super.importState(t),t=>({expanded:t.required.boolean,title:t.optional.string}),t=>(this.foldable.set("expanded",t.expanded),this.props.set("title",t.title),!0))}exportState(){return Li(()=>super.exportState(),{expanded:this.foldable.get("expanded"),title:this.props.get("title")})}onTitleClick_(){this.foldable.set("expanded",!this.foldable.get("expanded"))}},_L=di({id:"folder",type:"blade",accept(i){let e=ln(i,t=>({title:t.required.string,view:t.required.constant("folder"),expanded:t.optional.boolean}));return e?{params:e}:null},controller(i){return new bc(i.document,{blade:i.blade,expanded:i.params.expanded,props:mt.fromObject({title:i.params.title}),viewProps:i.viewProps})},api(i){return i.controller instanceof bc?new Ep(i.controller,i.pool):null}}),yL=At("");function Bw(i,e){return Oa(i,yL(void 0,e))}var Zs=class i extends mt{constructor(e){var t;super(e),this.onDisabledChange_=this.onDisabledChange_.bind(this),this.onParentChange_=this.onParentChange_.bind(this),this.onParentGlobalDisabledChange_=this.onParentGlobalDisabledChange_.bind(this),[this.globalDisabled_,this.setGlobalDisabled_]=gI(rn(this.getGlobalDisabled_())),this.value("disabled").emitter.on("change",this.onDisabledChange_),this.value("parent").emitter.on("change",this.onParentChange_),(t=this.get("parent"))===null||t===void 0||t.globalDisabled.emitter.on("change",this.onParentGlobalDisabledChange_)}static create(e){var t,n,s;let r=e??{};return new i(mt.createCore({disabled:(t=r.disabled)!==null&&t!==void 0?t:!1,disposed:!1,hidden:(n=r.hidden)!==null&&n!==void 0?n:!1,parent:(s=r.parent)!==null&&s!==void 0?s:null}))}get globalDisabled(){return this.globalDisabled_}bindClassModifiers(e){Ys(this.globalDisabled_,Bw(e,"disabled")),Ss(this,"hidden",Bw(e,"hidden"))}bindDisabled(e){Ys(this.globalDisabled_,t=>{e.disabled=t})}bindTabIndex(e){Ys(this.globalDisabled_,t=>{e.tabIndex=t?-1:0})}handleDispose(e){this.value("disposed").emitter.on("change",t=>{t&&e()})}importState(e){this.set("disabled",e.disabled),this.set("hidden",e.hidden)}exportState(){return{disabled:this.get("disabled"),hidden:this.get("hidden")}}getGlobalDisabled_(){let e=this.get("parent");return(e?e.globalDisabled.rawValue:!1)||this.get("disabled")}updateGlobalDisabled_(){this.setGlobalDisabled_(this.getGlobalDisabled_())}onDisabledChange_(){this.updateGlobalDisabled_()}onParentGlobalDisabledChange_(){this.updateGlobalDisabled_()}onParentChange_(e){var t;let n=e.previousRawValue;n?.globalDisabled.emitter.off("change",this.onParentGlobalDisabledChange_),(t=this.get("parent"))===null||t===void 0||t.globalDisabled.emitter.on("change",this.onParentGlobalDisabledChange_),this.updateGlobalDisabled_()}},zw=At("tbp"),uv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(zw()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("div");n.classList.add(zw("c")),this.element.appendChild(n),this.containerElement=n}},uc=At("tbi"),dv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(uc()),t.viewProps.bindClassModifiers(this.element),Ss(t.props,"selected",r=>{r?this.element.classList.add(uc(void 0,"sel")):this.element.classList.remove(uc(void 0,"sel"))});let n=e.createElement("button");n.classList.add(uc("b")),t.viewProps.bindDisabled(n),this.element.appendChild(n),this.buttonElement=n;let s=e.createElement("div");s.classList.add(uc("t")),_0(t.props.value("title"),s),this.buttonElement.appendChild(s),this.titleElement=s}},pv=class{constructor(e,t){this.emitter=new fn,this.onClick_=this.onClick_.bind(this),this.props=t.props,this.viewProps=t.viewProps,this.view=new dv(e,{props:t.props,viewProps:t.viewProps}),this.view.buttonElement.addEventListener("click",this.onClick_)}onClick_(){this.emitter.emit("click",{sender:this})}},xc=class extends vc{constructor(e,t){let n=new uv(e,{viewProps:t.viewProps});super(Object.assign(Object.assign({},t),{rackController:new _c({blade:t.blade,element:n.containerElement,viewProps:t.viewProps}),view:n})),this.onItemClick_=this.onItemClick_.bind(this),this.ic_=new pv(e,{props:t.itemProps,viewProps:Zs.create()}),this.ic_.emitter.on("click",this.onItemClick_),this.props=t.props,Ss(this.props,"selected",s=>{this.itemController.props.set("selected",s),this.viewProps.set("hidden",!s)})}get itemController(){return this.ic_}importState(e){return Ii(e,t=>super.importState(t),t=>({selected:t.required.boolean,title:t.required.string}),t=>(this.ic_.props.set("selected",t.selected),this.ic_.props.set("title",t.title),!0))}exportState(){return Li(()=>super.exportState(),{selected:this.ic_.props.get("selected"),title:this.ic_.props.get("title")})}onItemClick_(){this.props.set("selected",!0)}},fv=class extends gc{constructor(e,t){super(e,t),this.emitter_=new fn,this.onSelect_=this.onSelect_.bind(this),this.pool_=t,this.rackApi_.on("change",n=>{this.emitter_.emit("change",n)}),this.controller.tab.selectedIndex.emitter.on("change",this.onSelect_)}get pages(){return this.rackApi_.children}addPage(e){let t=this.controller.view.element.ownerDocument,n=new xc(t,{blade:za(),itemProps:mt.fromObject({selected:!1,title:e.title}),props:mt.fromObject({selected:!1}),viewProps:Zs.create()}),s=this.pool_.createApi(n);return this.rackApi_.add(s,e.index)}removePage(e){this.rackApi_.remove(this.rackApi_.children[e])}on(e,t){let n=t.bind(this);return this.emitter_.on(e,s=>{n(s)},{key:t}),this}off(e,t){return this.emitter_.off(e,t),this}onSelect_(e){this.emitter_.emit("select",new jg(this,e.rawValue))}},mv=class extends gc{get title(){var e;return(e=this.controller.itemController.props.get("title"))!==null&&e!==void 0?e:""}set title(e){this.controller.itemController.props.set("title",e)}get selected(){return this.controller.props.get("selected")}set selected(e){this.controller.props.set("selected",e)}get children(){return this.rackApi_.children}addButton(e){return this.rackApi_.addButton(e)}addFolder(e){return this.rackApi_.addFolder(e)}addTab(e){return this.rackApi_.addTab(e)}add(e,t){this.rackApi_.add(e,t)}remove(e){this.rackApi_.remove(e)}addBinding(e,t,n){return this.rackApi_.addBinding(e,t,n)}addBlade(e){return this.rackApi_.addBlade(e)}},Vw=-1,gv=class{constructor(){this.onItemSelectedChange_=this.onItemSelectedChange_.bind(this),this.empty=rn(!0),this.selectedIndex=rn(Vw),this.items_=[]}add(e,t){let n=t??this.items_.length;this.items_.splice(n,0,e),e.emitter.on("change",this.onItemSelectedChange_),this.keepSelection_()}remove(e){let t=this.items_.indexOf(e);t<0||(this.items_.splice(t,1),e.emitter.off("change",this.onItemSelectedChange_),this.keepSelection_())}keepSelection_(){if(this.items_.length===0){this.selectedIndex.rawValue=Vw,this.empty.rawValue=!0;return}let e=this.items_.findIndex(t=>t.rawValue);e<0?(this.items_.forEach((t,n)=>{t.rawValue=n===0}),this.selectedIndex.rawValue=0):(this.items_.forEach((t,n)=>{t.rawValue=n===e}),this.selectedIndex.rawValue=e),this.empty.rawValue=!1}onItemSelectedChange_(e){if(e.rawValue){let t=this.items_.findIndex(n=>n===e.sender);this.items_.forEach((n,s)=>{n.rawValue=s===t}),this.selectedIndex.rawValue=t}else this.keepSelection_()}},dc=At("tab"),vv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(dc(),yM()),t.viewProps.bindClassModifiers(this.element),Ys(t.empty,Oa(this.element,dc(void 0,"nop")));let n=e.createElement("div");n.classList.add(dc("t")),this.element.appendChild(n),this.itemsElement=n;let s=e.createElement("div");s.classList.add(dc("i")),this.element.appendChild(s);let r=e.createElement("div");r.classList.add(dc("c")),this.element.appendChild(r),this.contentsElement=r}},Tp=class extends vc{constructor(e,t){let n=new gv,s=new vv(e,{empty:n.empty,viewProps:t.viewProps});super({blade:t.blade,rackController:new _c({blade:t.blade,element:s.contentsElement,viewProps:t.viewProps}),view:s}),this.onRackAdd_=this.onRackAdd_.bind(this),this.onRackRemove_=this.onRackRemove_.bind(this);let r=this.rackController.rack;r.emitter.on("add",this.onRackAdd_),r.emitter.on("remove",this.onRackRemove_),this.tab=n}add(e,t){this.rackController.rack.add(e,t)}remove(e){this.rackController.rack.remove(this.rackController.rack.children[e])}onRackAdd_(e){if(!e.root)return;let t=e.bladeController;mM(this.view.itemsElement,t.itemController.view.element,e.index),t.itemController.viewProps.set("parent",this.viewProps),this.tab.add(t.props.value("selected"))}onRackRemove_(e){if(!e.root)return;let t=e.bladeController;v0(t.itemController.view.element),t.itemController.viewProps.set("parent",null),this.tab.remove(t.props.value("selected"))}},bM=di({id:"tab",type:"blade",accept(i){let e=ln(i,t=>({pages:t.required.array(t.required.object({title:t.required.string})),view:t.required.constant("tab")}));return!e||e.pages.length===0?null:{params:e}},controller(i){let e=new Tp(i.document,{blade:i.blade,viewProps:i.viewProps});return i.params.pages.forEach(t=>{let n=new xc(i.document,{blade:za(),itemProps:mt.fromObject({selected:!1,title:t.title}),props:mt.fromObject({selected:!1}),viewProps:Zs.create()});e.add(n)}),e},api(i){return i.controller instanceof Tp?new fv(i.controller,i.pool):i.controller instanceof xc?new mv(i.controller,i.pool):null}});function bL(i,e){let t=i.accept(e.params);if(!t)return null;let n=ln(e.params,s=>({disabled:s.optional.boolean,hidden:s.optional.boolean}));return i.controller({blade:za(),document:e.document,params:Object.assign(Object.assign({},t.params),{disabled:n?.disabled,hidden:n?.hidden}),viewProps:Zs.create({disabled:n?.disabled,hidden:n?.hidden})})}var wc=class extends mo{get options(){return this.controller.valueController.props.get("options")}set options(e){this.controller.valueController.props.set("options",e)}},_v=class{constructor(){this.disabled=!1,this.emitter=new fn}dispose(){}tick(){this.disabled||this.emitter.emit("tick",{sender:this})}},yv=class{constructor(e,t){this.disabled_=!1,this.timerId_=null,this.onTick_=this.onTick_.bind(this),this.doc_=e,this.emitter=new fn,this.interval_=t,this.setTimer_()}get disabled(){return this.disabled_}set disabled(e){this.disabled_=e,this.disabled_?this.clearTimer_():this.setTimer_()}dispose(){this.clearTimer_()}clearTimer_(){if(this.timerId_===null)return;let e=this.doc_.defaultView;e&&e.clearInterval(this.timerId_),this.timerId_=null}setTimer_(){if(this.clearTimer_(),this.interval_<=0)return;let e=this.doc_.defaultView;e&&(this.timerId_=e.setInterval(this.onTick_,this.interval_))}onTick_(){this.disabled_||this.emitter.emit("tick",{sender:this})}},go=class{constructor(e){this.constraints=e}constrain(e){return this.constraints.reduce((t,n)=>n.constrain(t),e)}};function Cp(i,e){if(i instanceof e)return i;if(i instanceof go){let t=i.constraints.reduce((n,s)=>n||(s instanceof e?s:null),null);if(t)return t}return null}var vo=class{constructor(e){this.values=mt.fromObject({options:e})}constrain(e){let t=this.values.get("options");return t.length===0||t.filter(s=>s.value===e).length>0?e:t[0].value}};function Ic(i){var e;let t=Qg;if(Array.isArray(i))return(e=ln({items:i},n=>({items:n.required.array(n.required.object({text:n.required.string,value:n.required.raw}))})))===null||e===void 0?void 0:e.items;if(typeof i=="object")return t.required.raw(i).value}function b0(i){if(Array.isArray(i))return i;let e=[];return Object.keys(i).forEach(t=>{e.push({text:t,value:i[t]})}),e}function x0(i){return Yt(i)?null:new vo(b0(i))}var Dg=At("lst"),bv=class{constructor(e,t){this.onValueChange_=this.onValueChange_.bind(this),this.props_=t.props,this.element=e.createElement("div"),this.element.classList.add(Dg()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("select");n.classList.add(Dg("s")),t.viewProps.bindDisabled(n),this.element.appendChild(n),this.selectElement=n;let s=e.createElement("div");s.classList.add(Dg("m")),s.appendChild(Np(e,"dropdown")),this.element.appendChild(s),t.value.emitter.on("change",this.onValueChange_),this.value_=t.value,Ss(this.props_,"options",r=>{gM(this.selectElement),r.forEach(o=>{let a=e.createElement("option");a.textContent=o.text,this.selectElement.appendChild(a)}),this.update_()})}update_(){let e=this.props_.get("options").map(t=>t.value);this.selectElement.selectedIndex=e.indexOf(this.value_.rawValue)}onValueChange_(){this.update_()}},As=class{constructor(e,t){this.onSelectChange_=this.onSelectChange_.bind(this),this.props=t.props,this.value=t.value,this.viewProps=t.viewProps,this.view=new bv(e,{props:this.props,value:this.value,viewProps:this.viewProps}),this.view.selectElement.addEventListener("change",this.onSelectChange_)}onSelectChange_(e){let t=e.currentTarget;this.value.rawValue=this.props.get("options")[t.selectedIndex].value}importProps(e){return Ii(e,null,t=>({options:t.required.custom(Ic)}),t=>(this.props.set("options",b0(t.options)),!0))}exportProps(){return Li(null,{options:this.props.get("options")})}},Gw=At("pop"),xv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(Gw()),t.viewProps.bindClassModifiers(this.element),Ys(t.shows,Oa(this.element,Gw(void 0,"v")))}},Pp=class{constructor(e,t){this.shows=rn(!1),this.viewProps=t.viewProps,this.view=new xv(e,{shows:this.shows,viewProps:this.viewProps})}},Hw=At("txt"),wv=class{constructor(e,t){this.onChange_=this.onChange_.bind(this),this.element=e.createElement("div"),this.element.classList.add(Hw()),t.viewProps.bindClassModifiers(this.element),this.props_=t.props,this.props_.emitter.on("change",this.onChange_);let n=e.createElement("input");n.classList.add(Hw("i")),n.type="text",t.viewProps.bindDisabled(n),this.element.appendChild(n),this.inputElement=n,t.value.emitter.on("change",this.onChange_),this.value_=t.value,this.refresh()}refresh(){let e=this.props_.get("formatter");this.inputElement.value=e(this.value_.rawValue)}onChange_(){this.refresh()}},_o=class{constructor(e,t){this.onInputChange_=this.onInputChange_.bind(this),this.parser_=t.parser,this.props=t.props,this.value=t.value,this.viewProps=t.viewProps,this.view=new wv(e,{props:t.props,value:this.value,viewProps:this.viewProps}),this.view.inputElement.addEventListener("change",this.onInputChange_)}onInputChange_(e){let n=e.currentTarget.value,s=this.parser_(n);Yt(s)||(this.value.rawValue=s),this.view.refresh()}};function xL(i){return String(i)}function xM(i){return i==="false"?!1:!!i}function Ww(i){return xL(i)}function wL(i){return e=>i.reduce((t,n)=>t!==null?t:n(e),null)}var ML=_i(0);function Rp(i){return ML(i)+"%"}function wM(i){return String(i)}function Mv(i){return i}function Va({primary:i,secondary:e,forward:t,backward:n}){let s=!1;function r(o){s||(s=!0,o(),s=!1)}i.emitter.on("change",o=>{r(()=>{e.setRawValue(t(i.rawValue,e.rawValue),o.options)})}),e.emitter.on("change",o=>{r(()=>{i.setRawValue(n(i.rawValue,e.rawValue),o.options)}),r(()=>{e.setRawValue(t(i.rawValue,e.rawValue),o.options)})}),r(()=>{e.setRawValue(t(i.rawValue,e.rawValue),{forceEmit:!1,last:!0})})}function vi(i,e){let t=i*(e.altKey?.1:1)*(e.shiftKey?10:1);return e.upKey?+t:e.downKey?-t:0}function Mc(i){return{altKey:i.altKey,downKey:i.key==="ArrowDown",shiftKey:i.shiftKey,upKey:i.key==="ArrowUp"}}function Qs(i){return{altKey:i.altKey,downKey:i.key==="ArrowLeft",shiftKey:i.shiftKey,upKey:i.key==="ArrowRight"}}function SL(i){return i==="ArrowUp"||i==="ArrowDown"}function MM(i){return SL(i)||i==="ArrowLeft"||i==="ArrowRight"}function Ng(i,e){var t,n;let s=e.ownerDocument.defaultView,r=e.getBoundingClientRect();return{x:i.pageX-(((t=s&&s.scrollX)!==null&&t!==void 0?t:0)+r.left),y:i.pageY-(((n=s&&s.scrollY)!==null&&n!==void 0?n:0)+r.top)}}var er=class{constructor(e){this.lastTouch_=null,this.onDocumentMouseMove_=this.onDocumentMouseMove_.bind(this),this.onDocumentMouseUp_=this.onDocumentMouseUp_.bind(this),this.onMouseDown_=this.onMouseDown_.bind(this),this.onTouchEnd_=this.onTouchEnd_.bind(this),this.onTouchMove_=this.onTouchMove_.bind(this),this.onTouchStart_=this.onTouchStart_.bind(this),this.elem_=e,this.emitter=new fn,e.addEventListener("touchstart",this.onTouchStart_,{passive:!1}),e.addEventListener("touchmove",this.onTouchMove_,{passive:!0}),e.addEventListener("touchend",this.onTouchEnd_),e.addEventListener("mousedown",this.onMouseDown_)}computePosition_(e){let t=this.elem_.getBoundingClientRect();return{bounds:{width:t.width,height:t.height},point:e?{x:e.x,y:e.y}:null}}onMouseDown_(e){var t;e.preventDefault(),(t=e.currentTarget)===null||t===void 0||t.focus();let n=this.elem_.ownerDocument;n.addEventListener("mousemove",this.onDocumentMouseMove_),n.addEventListener("mouseup",this.onDocumentMouseUp_),this.emitter.emit("down",{altKey:e.altKey,data:this.computePosition_(Ng(e,this.elem_)),sender:this,shiftKey:e.shiftKey})}onDocumentMouseMove_(e){this.emitter.emit("move",{altKey:e.altKey,data:this.computePosition_(Ng(e,this.elem_)),sender:this,shiftKey:e.shiftKey})}onDocumentMouseUp_(e){let t=this.elem_.ownerDocument;t.removeEventListener("mousemove",this.onDocumentMouseMove_),t.removeEventListener("mouseup",this.onDocumentMouseUp_),this.emitter.emit("up",{altKey:e.altKey,data:this.computePosition_(Ng(e,this.elem_)),sender:this,shiftKey:e.shiftKey})}onTouchStart_(e){e.preventDefault();let t=e.targetTouches.item(0),n=this.elem_.getBoundingClientRect();this.emitter.emit("down",{altKey:e.altKey,data:this.computePosition_(t?{x:t.clientX-n.left,y:t.clientY-n.top}:void 0),sender:this,shiftKey:e.shiftKey}),this.lastTouch_=t}onTouchMove_(e){let t=e.targetTouches.item(0),n=this.elem_.getBoundingClientRect();this.emitter.emit("move",{altKey:e.altKey,data:this.computePosition_(t?{x:t.clientX-n.left,y:t.clientY-n.top}:void 0),sender:this,shiftKey:e.shiftKey}),this.lastTouch_=t}onTouchEnd_(e){var t;let n=(t=e.targetTouches.item(0))!==null&&t!==void 0?t:this.lastTouch_,s=this.elem_.getBoundingClientRect();this.emitter.emit("up",{altKey:e.altKey,data:this.computePosition_(n?{x:n.clientX-s.left,y:n.clientY-s.top}:void 0),sender:this,shiftKey:e.shiftKey})}},Bi=At("txt"),Sv=class{constructor(e,t){this.onChange_=this.onChange_.bind(this),this.props_=t.props,this.props_.emitter.on("change",this.onChange_),this.element=e.createElement("div"),this.element.classList.add(Bi(),Bi(void 0,"num")),t.arrayPosition&&this.element.classList.add(Bi(void 0,t.arrayPosition)),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("input");n.classList.add(Bi("i")),n.type="text",t.viewProps.bindDisabled(n),this.element.appendChild(n),this.inputElement=n,this.onDraggingChange_=this.onDraggingChange_.bind(this),this.dragging_=t.dragging,this.dragging_.emitter.on("change",this.onDraggingChange_),this.element.classList.add(Bi()),this.inputElement.classList.add(Bi("i"));let s=e.createElement("div");s.classList.add(Bi("k")),this.element.appendChild(s),this.knobElement=s;let r=e.createElementNS(ws,"svg");r.classList.add(Bi("g")),this.knobElement.appendChild(r);let o=e.createElementNS(ws,"path");o.classList.add(Bi("gb")),r.appendChild(o),this.guideBodyElem_=o;let a=e.createElementNS(ws,"path");a.classList.add(Bi("gh")),r.appendChild(a),this.guideHeadElem_=a;let l=e.createElement("div");l.classList.add(At("tt")()),this.knobElement.appendChild(l),this.tooltipElem_=l,t.value.emitter.on("change",this.onChange_),this.value=t.value,this.refresh()}onDraggingChange_(e){if(e.rawValue===null){this.element.classList.remove(Bi(void 0,"drg"));return}this.element.classList.add(Bi(void 0,"drg"));let t=e.rawValue/this.props_.get("pointerScale"),n=t+(t>0?-1:t<0?1:0),s=Nn(-n,-4,4);this.guideHeadElem_.setAttributeNS(null,"d",[`M ${n+s},0 L${n},4 L${n+s},8`,`M ${t},-1 L${t},9`].join(" ")),this.guideBodyElem_.setAttributeNS(null,"d",`M 0,4 L${t},4`);let r=this.props_.get("formatter");this.tooltipElem_.textContent=r(this.value.rawValue),this.tooltipElem_.style.left=`${t}px`}refresh(){let e=this.props_.get("formatter");this.inputElement.value=e(this.value.rawValue)}onChange_(){this.refresh()}},yo=class{constructor(e,t){var n;this.originRawValue_=0,this.onInputChange_=this.onInputChange_.bind(this),this.onInputKeyDown_=this.onInputKeyDown_.bind(this),this.onInputKeyUp_=this.onInputKeyUp_.bind(this),this.onPointerDown_=this.onPointerDown_.bind(this),this.onPointerMove_=this.onPointerMove_.bind(this),this.onPointerUp_=this.onPointerUp_.bind(this),this.parser_=t.parser,this.props=t.props,this.sliderProps_=(n=t.sliderProps)!==null&&n!==void 0?n:null,this.value=t.value,this.viewProps=t.viewProps,this.dragging_=rn(null),this.view=new Sv(e,{arrayPosition:t.arrayPosition,dragging:this.dragging_,props:this.props,value:this.value,viewProps:this.viewProps}),this.view.inputElement.addEventListener("change",this.onInputChange_),this.view.inputElement.addEventListener("keydown",this.onInputKeyDown_),this.view.inputElement.addEventListener("keyup",this.onInputKeyUp_);let s=new er(this.view.knobElement);s.emitter.on("down",this.onPointerDown_),s.emitter.on("move",this.onPointerMove_),s.emitter.on("up",this.onPointerUp_)}constrainValue_(e){var t,n;let s=(t=this.sliderProps_)===null||t===void 0?void 0:t.get("min"),r=(n=this.sliderProps_)===null||n===void 0?void 0:n.get("max"),o=e;return s!==void 0&&(o=Math.max(o,s)),r!==void 0&&(o=Math.min(o,r)),o}onInputChange_(e){let n=e.currentTarget.value,s=this.parser_(n);Yt(s)||(this.value.rawValue=this.constrainValue_(s)),this.view.refresh()}onInputKeyDown_(e){let t=vi(this.props.get("keyScale"),Mc(e));t!==0&&this.value.setRawValue(this.constrainValue_(this.value.rawValue+t),{forceEmit:!1,last:!1})}onInputKeyUp_(e){vi(this.props.get("keyScale"),Mc(e))!==0&&this.value.setRawValue(this.value.rawValue,{forceEmit:!0,last:!0})}onPointerDown_(){this.originRawValue_=this.value.rawValue,this.dragging_.rawValue=0}computeDraggingValue_(e){if(!e.point)return null;let t=e.point.x-e.bounds.width/2;return this.constrainValue_(this.originRawValue_+t*this.props.get("pointerScale"))}onPointerMove_(e){let t=this.computeDraggingValue_(e.data);t!==null&&(this.value.setRawValue(t,{forceEmit:!1,last:!1}),this.dragging_.rawValue=this.value.rawValue-this.originRawValue_)}onPointerUp_(e){let t=this.computeDraggingValue_(e.data);t!==null&&(this.value.setRawValue(t,{forceEmit:!0,last:!0}),this.dragging_.rawValue=null)}},Fg=At("sld"),Av=class{constructor(e,t){this.onChange_=this.onChange_.bind(this),this.props_=t.props,this.props_.emitter.on("change",this.onChange_),this.element=e.createElement("div"),this.element.classList.add(Fg()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("div");n.classList.add(Fg("t")),t.viewProps.bindTabIndex(n),this.element.appendChild(n),this.trackElement=n;let s=e.createElement("div");s.classList.add(Fg("k")),this.trackElement.appendChild(s),this.knobElement=s,t.value.emitter.on("change",this.onChange_),this.value=t.value,this.update_()}update_(){let e=Nn(Ft(this.value.rawValue,this.props_.get("min"),this.props_.get("max"),0,100),0,100);this.knobElement.style.width=`${e}%`}onChange_(){this.update_()}},Ev=class{constructor(e,t){this.onKeyDown_=this.onKeyDown_.bind(this),this.onKeyUp_=this.onKeyUp_.bind(this),this.onPointerDownOrMove_=this.onPointerDownOrMove_.bind(this),this.onPointerUp_=this.onPointerUp_.bind(this),this.value=t.value,this.viewProps=t.viewProps,this.props=t.props,this.view=new Av(e,{props:this.props,value:this.value,viewProps:this.viewProps}),this.ptHandler_=new er(this.view.trackElement),this.ptHandler_.emitter.on("down",this.onPointerDownOrMove_),this.ptHandler_.emitter.on("move",this.onPointerDownOrMove_),this.ptHandler_.emitter.on("up",this.onPointerUp_),this.view.trackElement.addEventListener("keydown",this.onKeyDown_),this.view.trackElement.addEventListener("keyup",this.onKeyUp_)}handlePointerEvent_(e,t){e.point&&this.value.setRawValue(Ft(Nn(e.point.x,0,e.bounds.width),0,e.bounds.width,this.props.get("min"),this.props.get("max")),t)}onPointerDownOrMove_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerUp_(e){this.handlePointerEvent_(e.data,{forceEmit:!0,last:!0})}onKeyDown_(e){let t=vi(this.props.get("keyScale"),Qs(e));t!==0&&this.value.setRawValue(this.value.rawValue+t,{forceEmit:!1,last:!1})}onKeyUp_(e){vi(this.props.get("keyScale"),Qs(e))!==0&&this.value.setRawValue(this.value.rawValue,{forceEmit:!0,last:!0})}},kg=At("sldtxt"),Tv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(kg());let n=e.createElement("div");n.classList.add(kg("s")),this.sliderView_=t.sliderView,n.appendChild(this.sliderView_.element),this.element.appendChild(n);let s=e.createElement("div");s.classList.add(kg("t")),this.textView_=t.textView,s.appendChild(this.textView_.element),this.element.appendChild(s)}},ka=class{constructor(e,t){this.value=t.value,this.viewProps=t.viewProps,this.sliderC_=new Ev(e,{props:t.sliderProps,value:t.value,viewProps:this.viewProps}),this.textC_=new yo(e,{parser:t.parser,props:t.textProps,sliderProps:t.sliderProps,value:t.value,viewProps:t.viewProps}),this.view=new Tv(e,{sliderView:this.sliderC_.view,textView:this.textC_.view})}get sliderController(){return this.sliderC_}get textController(){return this.textC_}importProps(e){return Ii(e,null,t=>({max:t.required.number,min:t.required.number}),t=>{let n=this.sliderC_.props;return n.set("max",t.max),n.set("min",t.min),!0})}exportProps(){let e=this.sliderC_.props;return Li(null,{max:e.get("max"),min:e.get("min")})}};function SM(i){return{sliderProps:new mt({keyScale:i.keyScale,max:i.max,min:i.min}),textProps:new mt({formatter:rn(i.formatter),keyScale:i.keyScale,pointerScale:rn(i.pointerScale)})}}var AL={containerUnitSize:"cnt-usz"};function AM(i){return`--${AL[i]}`}function Sc(i){return pM(i)}function Rr(i){if(zg(i))return ln(i,Sc)}function $s(i,e){if(!i)return;let t=[],n=hM(i,e);n&&t.push(n);let s=uM(i);return s&&t.push(s),new go(t)}function EL(i){return i?i.major===Ba.major:!1}function EM(i){if(i==="inline"||i==="popup")return i}function Lc(i,e){i.write(e)}var gp=At("ckb"),Cv=class{constructor(e,t){this.onValueChange_=this.onValueChange_.bind(this),this.element=e.createElement("div"),this.element.classList.add(gp()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("label");n.classList.add(gp("l")),this.element.appendChild(n),this.labelElement=n;let s=e.createElement("input");s.classList.add(gp("i")),s.type="checkbox",this.labelElement.appendChild(s),this.inputElement=s,t.viewProps.bindDisabled(this.inputElement);let r=e.createElement("div");r.classList.add(gp("w")),this.labelElement.appendChild(r);let o=Np(e,"check");r.appendChild(o),t.value.emitter.on("change",this.onValueChange_),this.value=t.value,this.update_()}update_(){this.inputElement.checked=this.value.rawValue}onValueChange_(){this.update_()}},Pv=class{constructor(e,t){this.onInputChange_=this.onInputChange_.bind(this),this.onLabelMouseDown_=this.onLabelMouseDown_.bind(this),this.value=t.value,this.viewProps=t.viewProps,this.view=new Cv(e,{value:this.value,viewProps:this.viewProps}),this.view.inputElement.addEventListener("change",this.onInputChange_),this.view.labelElement.addEventListener("mousedown",this.onLabelMouseDown_)}onInputChange_(e){let t=e.currentTarget;this.value.rawValue=t.checked,e.preventDefault(),e.stopPropagation()}onLabelMouseDown_(e){e.preventDefault()}};function TL(i){let e=[],t=x0(i.options);return t&&e.push(t),new go(e)}var CL=di({id:"input-bool",type:"input",accept:(i,e)=>{if(typeof i!="boolean")return null;let t=ln(e,n=>({options:n.optional.custom(Ic),readonly:n.optional.constant(!1)}));return t?{initialValue:i,params:t}:null},binding:{reader:i=>xM,constraint:i=>TL(i.params),writer:i=>Lc},controller:i=>{let e=i.document,t=i.value,n=i.constraint,s=n&&Cp(n,vo);return s?new As(e,{props:new mt({options:s.values.value("options")}),value:t,viewProps:i.viewProps}):new Pv(e,{value:t,viewProps:i.viewProps})},api(i){return typeof i.controller.value.rawValue!="boolean"?null:i.controller.valueController instanceof As?new wc(i.controller):null}}),co=At("col"),Rv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(co()),t.foldable.bindExpandedClass(this.element,co(void 0,"expanded")),Ss(t.foldable,"completed",Oa(this.element,co(void 0,"cpl")));let n=e.createElement("div");n.classList.add(co("h")),this.element.appendChild(n);let s=e.createElement("div");s.classList.add(co("s")),n.appendChild(s),this.swatchElement=s;let r=e.createElement("div");if(r.classList.add(co("t")),n.appendChild(r),this.textElement=r,t.pickerLayout==="inline"){let o=e.createElement("div");o.classList.add(co("p")),this.element.appendChild(o),this.pickerElement=o}else this.pickerElement=null}};function PL(i,e,t){let n=Nn(i/255,0,1),s=Nn(e/255,0,1),r=Nn(t/255,0,1),o=Math.max(n,s,r),a=Math.min(n,s,r),l=o-a,c=0,h=0,u=(a+o)/2;return l!==0&&(h=l/(1-Math.abs(o+a-1)),n===o?c=(s-r)/l:s===o?c=2+(r-n)/l:c=4+(n-s)/l,c=c/6+(c<0?1:0)),[c*360,h*100,u*100]}function RL(i,e,t){let n=(i%360+360)%360,s=Nn(e/100,0,1),r=Nn(t/100,0,1),o=(1-Math.abs(2*r-1))*s,a=o*(1-Math.abs(n/60%2-1)),l=r-o/2,c,h,u;return n>=0&&n<60?[c,h,u]=[o,a,0]:n>=60&&n<120?[c,h,u]=[a,o,0]:n>=120&&n<180?[c,h,u]=[0,o,a]:n>=180&&n<240?[c,h,u]=[0,a,o]:n>=240&&n<300?[c,h,u]=[a,0,o]:[c,h,u]=[o,0,a],[(c+l)*255,(h+l)*255,(u+l)*255]}function IL(i,e,t){let n=Nn(i/255,0,1),s=Nn(e/255,0,1),r=Nn(t/255,0,1),o=Math.max(n,s,r),a=Math.min(n,s,r),l=o-a,c;l===0?c=0:o===n?c=60*(((s-r)/l%6+6)%6):o===s?c=60*((r-n)/l+2):c=60*((n-s)/l+4);let h=o===0?0:l/o,u=o;return[c,h*100,u*100]}function TM(i,e,t){let n=aM(i,360),s=Nn(e/100,0,1),r=Nn(t/100,0,1),o=r*s,a=o*(1-Math.abs(n/60%2-1)),l=r-o,c,h,u;return n>=0&&n<60?[c,h,u]=[o,a,0]:n>=60&&n<120?[c,h,u]=[a,o,0]:n>=120&&n<180?[c,h,u]=[0,o,a]:n>=180&&n<240?[c,h,u]=[0,a,o]:n>=240&&n<300?[c,h,u]=[a,0,o]:[c,h,u]=[o,0,a],[(c+l)*255,(h+l)*255,(u+l)*255]}function LL(i,e,t){let n=t+e*(100-Math.abs(2*t-100))/200;return[i,n!==0?e*(100-Math.abs(2*t-100))/n:0,t+e*(100-Math.abs(2*t-100))/200]}function DL(i,e,t){let n=100-Math.abs(t*(200-e)/100-100);return[i,n!==0?e*t/n:0,t*(200-e)/200]}function Es(i){return[i[0],i[1],i[2]]}function Fp(i,e){return[i[0],i[1],i[2],e]}var NL={hsl:{hsl:(i,e,t)=>[i,e,t],hsv:LL,rgb:RL},hsv:{hsl:DL,hsv:(i,e,t)=>[i,e,t],rgb:TM},rgb:{hsl:PL,hsv:IL,rgb:(i,e,t)=>[i,e,t]}};function Ua(i,e){return[e==="float"?1:i==="rgb"?255:360,e==="float"?1:i==="rgb"?255:100,e==="float"?1:i==="rgb"?255:100]}function FL(i,e){return i===e?e:aM(i,e)}function CM(i,e,t){var n;let s=Ua(e,t);return[e==="rgb"?Nn(i[0],0,s[0]):FL(i[0],s[0]),Nn(i[1],0,s[1]),Nn(i[2],0,s[2]),Nn((n=i[3])!==null&&n!==void 0?n:1,0,1)]}function qw(i,e,t,n){let s=Ua(e,t),r=Ua(e,n);return i.map((o,a)=>o/s[a]*r[a])}function PM(i,e,t){let n=qw(i,e.mode,e.type,"int"),s=NL[e.mode][t.mode](...n);return qw(s,t.mode,"int",t.type)}var Ct=class i{static black(){return new i([0,0,0],"rgb")}constructor(e,t){this.type="int",this.mode=t,this.comps_=CM(e,t,this.type)}getComponents(e){return Fp(PM(Es(this.comps_),{mode:this.mode,type:this.type},{mode:e??this.mode,type:this.type}),this.comps_[3])}toRgbaObject(){let e=this.getComponents("rgb");return{r:e[0],g:e[1],b:e[2],a:e[3]}}},Tr=At("colp"),Iv=class{constructor(e,t){this.alphaViews_=null,this.element=e.createElement("div"),this.element.classList.add(Tr()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("div");n.classList.add(Tr("hsv"));let s=e.createElement("div");s.classList.add(Tr("sv")),this.svPaletteView_=t.svPaletteView,s.appendChild(this.svPaletteView_.element),n.appendChild(s);let r=e.createElement("div");r.classList.add(Tr("h")),this.hPaletteView_=t.hPaletteView,r.appendChild(this.hPaletteView_.element),n.appendChild(r),this.element.appendChild(n);let o=e.createElement("div");if(o.classList.add(Tr("rgb")),this.textsView_=t.textsView,o.appendChild(this.textsView_.element),this.element.appendChild(o),t.alphaViews){this.alphaViews_={palette:t.alphaViews.palette,text:t.alphaViews.text};let a=e.createElement("div");a.classList.add(Tr("a"));let l=e.createElement("div");l.classList.add(Tr("ap")),l.appendChild(this.alphaViews_.palette.element),a.appendChild(l);let c=e.createElement("div");c.classList.add(Tr("at")),c.appendChild(this.alphaViews_.text.element),a.appendChild(c),this.element.appendChild(a)}}get allFocusableElements(){let e=[this.svPaletteView_.element,this.hPaletteView_.element,this.textsView_.modeSelectElement,...this.textsView_.inputViews.map(t=>t.inputElement)];return this.alphaViews_&&e.push(this.alphaViews_.palette.element,this.alphaViews_.text.inputElement),e}};function kL(i){return i==="int"?"int":i==="float"?"float":void 0}function w0(i){return ln(i,e=>({color:e.optional.object({alpha:e.optional.boolean,type:e.optional.custom(kL)}),expanded:e.optional.boolean,picker:e.optional.custom(EM),readonly:e.optional.constant(!1)}))}function bo(i){return i?.1:1}function RM(i){var e;return(e=i.color)===null||e===void 0?void 0:e.type}var Ac=class{constructor(e,t){this.type="float",this.mode=t,this.comps_=CM(e,t,this.type)}getComponents(e){return Fp(PM(Es(this.comps_),{mode:this.mode,type:this.type},{mode:e??this.mode,type:this.type}),this.comps_[3])}toRgbaObject(){let e=this.getComponents("rgb");return{r:e[0],g:e[1],b:e[2],a:e[3]}}},UL={int:(i,e)=>new Ct(i,e),float:(i,e)=>new Ac(i,e)};function M0(i,e,t){return UL[t](i,e)}function OL(i){return i.type==="float"}function BL(i){return i.type==="int"}function zL(i){let e=i.getComponents(),t=Ua(i.mode,"int");return new Ct([Math.round(Ft(e[0],0,1,0,t[0])),Math.round(Ft(e[1],0,1,0,t[1])),Math.round(Ft(e[2],0,1,0,t[2])),e[3]],i.mode)}function VL(i){let e=i.getComponents(),t=Ua(i.mode,"int");return new Ac([Ft(e[0],0,t[0],0,1),Ft(e[1],0,t[1],0,1),Ft(e[2],0,t[2],0,1),e[3]],i.mode)}function ui(i,e){if(i.type===e)return i;if(BL(i)&&e==="float")return VL(i);if(OL(i)&&e==="int")return zL(i);throw Hn.shouldNeverHappen()}function GL(i,e){return i.alpha===e.alpha&&i.mode===e.mode&&i.notation===e.notation&&i.type===e.type}function zi(i,e){let t=i.match(/^(.+)%$/);return Math.min(t?parseFloat(t[1])*.01*e:parseFloat(i),e)}var HL={deg:i=>i,grad:i=>i*360/400,rad:i=>i*360/(2*Math.PI),turn:i=>i*360};function IM(i){let e=i.match(/^([0-9.]+?)(deg|grad|rad|turn)$/);if(!e)return parseFloat(i);let t=parseFloat(e[1]),n=e[2];return HL[n](t)}function LM(i){let e=i.match(/^rgb\(\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*\)$/);if(!e)return null;let t=[zi(e[1],255),zi(e[2],255),zi(e[3],255)];return isNaN(t[0])||isNaN(t[1])||isNaN(t[2])?null:t}function WL(i){let e=LM(i);return e?new Ct(e,"rgb"):null}function DM(i){let e=i.match(/^rgba\(\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*\)$/);if(!e)return null;let t=[zi(e[1],255),zi(e[2],255),zi(e[3],255),zi(e[4],1)];return isNaN(t[0])||isNaN(t[1])||isNaN(t[2])||isNaN(t[3])?null:t}function qL(i){let e=DM(i);return e?new Ct(e,"rgb"):null}function NM(i){let e=i.match(/^hsl\(\s*([0-9A-Fa-f.]+(?:deg|grad|rad|turn)?)\s*,\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*\)$/);if(!e)return null;let t=[IM(e[1]),zi(e[2],100),zi(e[3],100)];return isNaN(t[0])||isNaN(t[1])||isNaN(t[2])?null:t}function XL(i){let e=NM(i);return e?new Ct(e,"hsl"):null}function FM(i){let e=i.match(/^hsla\(\s*([0-9A-Fa-f.]+(?:deg|grad|rad|turn)?)\s*,\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*,\s*([0-9A-Fa-f.]+%?)\s*\)$/);if(!e)return null;let t=[IM(e[1]),zi(e[2],100),zi(e[3],100),zi(e[4],1)];return isNaN(t[0])||isNaN(t[1])||isNaN(t[2])||isNaN(t[3])?null:t}function $L(i){let e=FM(i);return e?new Ct(e,"hsl"):null}function kM(i){let e=i.match(/^#([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])$/);if(e)return[parseInt(e[1]+e[1],16),parseInt(e[2]+e[2],16),parseInt(e[3]+e[3],16)];let t=i.match(/^(?:#|0x)([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})$/);return t?[parseInt(t[1],16),parseInt(t[2],16),parseInt(t[3],16)]:null}function YL(i){let e=kM(i);return e?new Ct(e,"rgb"):null}function UM(i){let e=i.match(/^#([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])([0-9A-Fa-f])$/);if(e)return[parseInt(e[1]+e[1],16),parseInt(e[2]+e[2],16),parseInt(e[3]+e[3],16),Ft(parseInt(e[4]+e[4],16),0,255,0,1)];let t=i.match(/^(?:#|0x)?([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})([0-9A-Fa-f]{2})$/);return t?[parseInt(t[1],16),parseInt(t[2],16),parseInt(t[3],16),Ft(parseInt(t[4],16),0,255,0,1)]:null}function KL(i){let e=UM(i);return e?new Ct(e,"rgb"):null}function OM(i){let e=i.match(/^\{\s*r\s*:\s*([0-9A-Fa-f.]+%?)\s*,\s*g\s*:\s*([0-9A-Fa-f.]+%?)\s*,\s*b\s*:\s*([0-9A-Fa-f.]+%?)\s*\}$/);if(!e)return null;let t=[parseFloat(e[1]),parseFloat(e[2]),parseFloat(e[3])];return isNaN(t[0])||isNaN(t[1])||isNaN(t[2])?null:t}function Xw(i){return e=>{let t=OM(e);return t?M0(t,"rgb",i):null}}function BM(i){let e=i.match(/^\{\s*r\s*:\s*([0-9A-Fa-f.]+%?)\s*,\s*g\s*:\s*([0-9A-Fa-f.]+%?)\s*,\s*b\s*:\s*([0-9A-Fa-f.]+%?)\s*,\s*a\s*:\s*([0-9A-Fa-f.]+%?)\s*\}$/);if(!e)return null;let t=[parseFloat(e[1]),parseFloat(e[2]),parseFloat(e[3]),parseFloat(e[4])];return isNaN(t[0])||isNaN(t[1])||isNaN(t[2])||isNaN(t[3])?null:t}function $w(i){return e=>{let t=BM(e);return t?M0(t,"rgb",i):null}}var jL=[{parser:kM,result:{alpha:!1,mode:"rgb",notation:"hex"}},{parser:UM,result:{alpha:!0,mode:"rgb",notation:"hex"}},{parser:LM,result:{alpha:!1,mode:"rgb",notation:"func"}},{parser:DM,result:{alpha:!0,mode:"rgb",notation:"func"}},{parser:NM,result:{alpha:!1,mode:"hsl",notation:"func"}},{parser:FM,result:{alpha:!0,mode:"hsl",notation:"func"}},{parser:OM,result:{alpha:!1,mode:"rgb",notation:"object"}},{parser:BM,result:{alpha:!0,mode:"rgb",notation:"object"}}];function JL(i){return jL.reduce((e,{parser:t,result:n})=>e||(t(i)?n:null),null)}function ZL(i,e="int"){let t=JL(i);return t?t.notation==="hex"&&e!=="float"?Object.assign(Object.assign({},t),{type:"int"}):t.notation==="func"?Object.assign(Object.assign({},t),{type:e}):null:null}function Dc(i){let e=[YL,KL,WL,qL,XL,$L];i==="int"&&e.push(Xw("int"),$w("int")),i==="float"&&e.push(Xw("float"),$w("float"));let t=wL(e);return n=>{let s=t(n);return s?ui(s,i):null}}function QL(i){let e=Dc("int");if(typeof i!="string")return Ct.black();let t=e(i);return t??Ct.black()}function zM(i){let e=Nn(Math.floor(i),0,255).toString(16);return e.length===1?`0${e}`:e}function S0(i,e="#"){let t=Es(i.getComponents("rgb")).map(zM).join("");return`${e}${t}`}function A0(i,e="#"){let t=i.getComponents("rgb"),n=[t[0],t[1],t[2],t[3]*255].map(zM).join("");return`${e}${n}`}function VM(i){let e=_i(0),t=ui(i,"int");return`rgb(${Es(t.getComponents("rgb")).map(s=>e(s)).join(", ")})`}function vp(i){let e=_i(2),t=_i(0);return`rgba(${ui(i,"int").getComponents("rgb").map((r,o)=>(o===3?e:t)(r)).join(", ")})`}function eD(i){let e=[_i(0),Rp,Rp],t=ui(i,"int");return`hsl(${Es(t.getComponents("hsl")).map((s,r)=>e[r](s)).join(", ")})`}function tD(i){let e=[_i(0),Rp,Rp,_i(2)];return`hsla(${ui(i,"int").getComponents("hsl").map((s,r)=>e[r](s)).join(", ")})`}function GM(i,e){let t=_i(e==="float"?2:0),n=["r","g","b"],s=ui(i,e);return`{${Es(s.getComponents("rgb")).map((o,a)=>`${n[a]}: ${t(o)}`).join(", ")}}`}function nD(i){return e=>GM(e,i)}function HM(i,e){let t=_i(2),n=_i(e==="float"?2:0),s=["r","g","b","a"];return`{${ui(i,e).getComponents("rgb").map((a,l)=>{let c=l===3?t:n;return`${s[l]}: ${c(a)}`}).join(", ")}}`}function iD(i){return e=>HM(e,i)}var sD=[{format:{alpha:!1,mode:"rgb",notation:"hex",type:"int"},stringifier:S0},{format:{alpha:!0,mode:"rgb",notation:"hex",type:"int"},stringifier:A0},{format:{alpha:!1,mode:"rgb",notation:"func",type:"int"},stringifier:VM},{format:{alpha:!0,mode:"rgb",notation:"func",type:"int"},stringifier:vp},{format:{alpha:!1,mode:"hsl",notation:"func",type:"int"},stringifier:eD},{format:{alpha:!0,mode:"hsl",notation:"func",type:"int"},stringifier:tD},...["int","float"].reduce((i,e)=>[...i,{format:{alpha:!1,mode:"rgb",notation:"object",type:e},stringifier:nD(e)},{format:{alpha:!0,mode:"rgb",notation:"object",type:e},stringifier:iD(e)}],[])];function WM(i){return sD.reduce((e,t)=>e||(GL(t.format,i)?t.stringifier:null),null)}var pc=At("apl"),Lv=class{constructor(e,t){this.onValueChange_=this.onValueChange_.bind(this),this.value=t.value,this.value.emitter.on("change",this.onValueChange_),this.element=e.createElement("div"),this.element.classList.add(pc()),t.viewProps.bindClassModifiers(this.element),t.viewProps.bindTabIndex(this.element);let n=e.createElement("div");n.classList.add(pc("b")),this.element.appendChild(n);let s=e.createElement("div");s.classList.add(pc("c")),n.appendChild(s),this.colorElem_=s;let r=e.createElement("div");r.classList.add(pc("m")),this.element.appendChild(r),this.markerElem_=r;let o=e.createElement("div");o.classList.add(pc("p")),this.markerElem_.appendChild(o),this.previewElem_=o,this.update_()}update_(){let e=this.value.rawValue,t=e.getComponents("rgb"),n=new Ct([t[0],t[1],t[2],0],"rgb"),s=new Ct([t[0],t[1],t[2],255],"rgb"),r=["to right",vp(n),vp(s)];this.colorElem_.style.background=`linear-gradient(${r.join(",")})`,this.previewElem_.style.backgroundColor=vp(e);let o=Ft(t[3],0,1,0,100);this.markerElem_.style.left=`${o}%`}onValueChange_(){this.update_()}},Dv=class{constructor(e,t){this.onKeyDown_=this.onKeyDown_.bind(this),this.onKeyUp_=this.onKeyUp_.bind(this),this.onPointerDown_=this.onPointerDown_.bind(this),this.onPointerMove_=this.onPointerMove_.bind(this),this.onPointerUp_=this.onPointerUp_.bind(this),this.value=t.value,this.viewProps=t.viewProps,this.view=new Lv(e,{value:this.value,viewProps:this.viewProps}),this.ptHandler_=new er(this.view.element),this.ptHandler_.emitter.on("down",this.onPointerDown_),this.ptHandler_.emitter.on("move",this.onPointerMove_),this.ptHandler_.emitter.on("up",this.onPointerUp_),this.view.element.addEventListener("keydown",this.onKeyDown_),this.view.element.addEventListener("keyup",this.onKeyUp_)}handlePointerEvent_(e,t){if(!e.point)return;let n=e.point.x/e.bounds.width,s=this.value.rawValue,[r,o,a]=s.getComponents("hsv");this.value.setRawValue(new Ct([r,o,a,n],"hsv"),t)}onPointerDown_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerMove_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerUp_(e){this.handlePointerEvent_(e.data,{forceEmit:!0,last:!0})}onKeyDown_(e){let t=vi(bo(!0),Qs(e));if(t===0)return;let n=this.value.rawValue,[s,r,o,a]=n.getComponents("hsv");this.value.setRawValue(new Ct([s,r,o,a+t],"hsv"),{forceEmit:!1,last:!1})}onKeyUp_(e){vi(bo(!0),Qs(e))!==0&&this.value.setRawValue(this.value.rawValue,{forceEmit:!0,last:!0})}},La=At("coltxt");function rD(i){let e=i.createElement("select"),t=[{text:"RGB",value:"rgb"},{text:"HSL",value:"hsl"},{text:"HSV",value:"hsv"},{text:"HEX",value:"hex"}];return e.appendChild(t.reduce((n,s)=>{let r=i.createElement("option");return r.textContent=s.text,r.value=s.value,n.appendChild(r),n},i.createDocumentFragment())),e}var Nv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(La()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("div");n.classList.add(La("m")),this.modeElem_=rD(e),this.modeElem_.classList.add(La("ms")),n.appendChild(this.modeSelectElement),t.viewProps.bindDisabled(this.modeElem_);let s=e.createElement("div");s.classList.add(La("mm")),s.appendChild(Np(e,"dropdown")),n.appendChild(s),this.element.appendChild(n);let r=e.createElement("div");r.classList.add(La("w")),this.element.appendChild(r),this.inputsElem_=r,this.inputViews_=t.inputViews,this.applyInputViews_(),Ys(t.mode,o=>{this.modeElem_.value=o})}get modeSelectElement(){return this.modeElem_}get inputViews(){return this.inputViews_}set inputViews(e){this.inputViews_=e,this.applyInputViews_()}applyInputViews_(){gM(this.inputsElem_);let e=this.element.ownerDocument;this.inputViews_.forEach(t=>{let n=e.createElement("div");n.classList.add(La("c")),n.appendChild(t.element),this.inputsElem_.appendChild(n)})}};function oD(i){return _i(i==="float"?2:0)}function aD(i,e,t){let n=Ua(i,e)[t];return new po({min:0,max:n})}function lD(i,e,t){return new yo(i,{arrayPosition:t===0?"fst":t===2?"lst":"mid",parser:e.parser,props:mt.fromObject({formatter:oD(e.colorType),keyScale:bo(!1),pointerScale:e.colorType==="float"?.01:1}),value:rn(0,{constraint:aD(e.colorMode,e.colorType,t)}),viewProps:e.viewProps})}function cD(i,e){let t={colorMode:e.colorMode,colorType:e.colorType,parser:Ks,viewProps:e.viewProps};return[0,1,2].map(n=>{let s=lD(i,t,n);return Va({primary:e.value,secondary:s.value,forward(r){return ui(r,e.colorType).getComponents(e.colorMode)[n]},backward(r,o){let a=e.colorMode,c=ui(r,e.colorType).getComponents(a);c[n]=o;let h=M0(Fp(Es(c),c[3]),a,e.colorType);return ui(h,"int")}}),s})}function hD(i,e){let t=new _o(i,{parser:Dc("int"),props:mt.fromObject({formatter:S0}),value:rn(Ct.black()),viewProps:e.viewProps});return Va({primary:e.value,secondary:t.value,forward:n=>new Ct(Es(n.getComponents()),n.mode),backward:(n,s)=>new Ct(Fp(Es(s.getComponents(n.mode)),n.getComponents()[3]),n.mode)}),[t]}function uD(i){return i!=="hex"}var Fv=class{constructor(e,t){this.onModeSelectChange_=this.onModeSelectChange_.bind(this),this.colorType_=t.colorType,this.value=t.value,this.viewProps=t.viewProps,this.colorMode=rn(this.value.rawValue.mode),this.ccs_=this.createComponentControllers_(e),this.view=new Nv(e,{mode:this.colorMode,inputViews:[this.ccs_[0].view,this.ccs_[1].view,this.ccs_[2].view],viewProps:this.viewProps}),this.view.modeSelectElement.addEventListener("change",this.onModeSelectChange_)}createComponentControllers_(e){let t=this.colorMode.rawValue;return uD(t)?cD(e,{colorMode:t,colorType:this.colorType_,value:this.value,viewProps:this.viewProps}):hD(e,{value:this.value,viewProps:this.viewProps})}onModeSelectChange_(e){let t=e.currentTarget;this.colorMode.rawValue=t.value,this.ccs_=this.createComponentControllers_(this.view.element.ownerDocument),this.view.inputViews=this.ccs_.map(n=>n.view)}},Ug=At("hpl"),kv=class{constructor(e,t){this.onValueChange_=this.onValueChange_.bind(this),this.value=t.value,this.value.emitter.on("change",this.onValueChange_),this.element=e.createElement("div"),this.element.classList.add(Ug()),t.viewProps.bindClassModifiers(this.element),t.viewProps.bindTabIndex(this.element);let n=e.createElement("div");n.classList.add(Ug("c")),this.element.appendChild(n);let s=e.createElement("div");s.classList.add(Ug("m")),this.element.appendChild(s),this.markerElem_=s,this.update_()}update_(){let e=this.value.rawValue,[t]=e.getComponents("hsv");this.markerElem_.style.backgroundColor=VM(new Ct([t,100,100],"hsv"));let n=Ft(t,0,360,0,100);this.markerElem_.style.left=`${n}%`}onValueChange_(){this.update_()}},Uv=class{constructor(e,t){this.onKeyDown_=this.onKeyDown_.bind(this),this.onKeyUp_=this.onKeyUp_.bind(this),this.onPointerDown_=this.onPointerDown_.bind(this),this.onPointerMove_=this.onPointerMove_.bind(this),this.onPointerUp_=this.onPointerUp_.bind(this),this.value=t.value,this.viewProps=t.viewProps,this.view=new kv(e,{value:this.value,viewProps:this.viewProps}),this.ptHandler_=new er(this.view.element),this.ptHandler_.emitter.on("down",this.onPointerDown_),this.ptHandler_.emitter.on("move",this.onPointerMove_),this.ptHandler_.emitter.on("up",this.onPointerUp_),this.view.element.addEventListener("keydown",this.onKeyDown_),this.view.element.addEventListener("keyup",this.onKeyUp_)}handlePointerEvent_(e,t){if(!e.point)return;let n=Ft(Nn(e.point.x,0,e.bounds.width),0,e.bounds.width,0,360),s=this.value.rawValue,[,r,o,a]=s.getComponents("hsv");this.value.setRawValue(new Ct([n,r,o,a],"hsv"),t)}onPointerDown_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerMove_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerUp_(e){this.handlePointerEvent_(e.data,{forceEmit:!0,last:!0})}onKeyDown_(e){let t=vi(bo(!1),Qs(e));if(t===0)return;let n=this.value.rawValue,[s,r,o,a]=n.getComponents("hsv");this.value.setRawValue(new Ct([s+t,r,o,a],"hsv"),{forceEmit:!1,last:!1})}onKeyUp_(e){vi(bo(!1),Qs(e))!==0&&this.value.setRawValue(this.value.rawValue,{forceEmit:!0,last:!0})}},Og=At("svp"),Yw=64,Ov=class{constructor(e,t){this.onValueChange_=this.onValueChange_.bind(this),this.value=t.value,this.value.emitter.on("change",this.onValueChange_),this.element=e.createElement("div"),this.element.classList.add(Og()),t.viewProps.bindClassModifiers(this.element),t.viewProps.bindTabIndex(this.element);let n=e.createElement("canvas");n.height=Yw,n.width=Yw,n.classList.add(Og("c")),this.element.appendChild(n),this.canvasElement=n;let s=e.createElement("div");s.classList.add(Og("m")),this.element.appendChild(s),this.markerElem_=s,this.update_()}update_(){let e=KI(this.canvasElement);if(!e)return;let n=this.value.rawValue.getComponents("hsv"),s=this.canvasElement.width,r=this.canvasElement.height,o=e.getImageData(0,0,s,r),a=o.data;for(let h=0;h<r;h++)for(let u=0;u<s;u++){let d=Ft(u,0,s,0,100),p=Ft(h,0,r,100,0),f=TM(n[0],d,p),y=(h*s+u)*4;a[y]=f[0],a[y+1]=f[1],a[y+2]=f[2],a[y+3]=255}e.putImageData(o,0,0);let l=Ft(n[1],0,100,0,100);this.markerElem_.style.left=`${l}%`;let c=Ft(n[2],0,100,100,0);this.markerElem_.style.top=`${c}%`}onValueChange_(){this.update_()}},Bv=class{constructor(e,t){this.onKeyDown_=this.onKeyDown_.bind(this),this.onKeyUp_=this.onKeyUp_.bind(this),this.onPointerDown_=this.onPointerDown_.bind(this),this.onPointerMove_=this.onPointerMove_.bind(this),this.onPointerUp_=this.onPointerUp_.bind(this),this.value=t.value,this.viewProps=t.viewProps,this.view=new Ov(e,{value:this.value,viewProps:this.viewProps}),this.ptHandler_=new er(this.view.element),this.ptHandler_.emitter.on("down",this.onPointerDown_),this.ptHandler_.emitter.on("move",this.onPointerMove_),this.ptHandler_.emitter.on("up",this.onPointerUp_),this.view.element.addEventListener("keydown",this.onKeyDown_),this.view.element.addEventListener("keyup",this.onKeyUp_)}handlePointerEvent_(e,t){if(!e.point)return;let n=Ft(e.point.x,0,e.bounds.width,0,100),s=Ft(e.point.y,0,e.bounds.height,100,0),[r,,,o]=this.value.rawValue.getComponents("hsv");this.value.setRawValue(new Ct([r,n,s,o],"hsv"),t)}onPointerDown_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerMove_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerUp_(e){this.handlePointerEvent_(e.data,{forceEmit:!0,last:!0})}onKeyDown_(e){MM(e.key)&&e.preventDefault();let[t,n,s,r]=this.value.rawValue.getComponents("hsv"),o=bo(!1),a=vi(o,Qs(e)),l=vi(o,Mc(e));a===0&&l===0||this.value.setRawValue(new Ct([t,n+a,s+l,r],"hsv"),{forceEmit:!1,last:!1})}onKeyUp_(e){let t=bo(!1),n=vi(t,Qs(e)),s=vi(t,Mc(e));n===0&&s===0||this.value.setRawValue(this.value.rawValue,{forceEmit:!0,last:!0})}},zv=class{constructor(e,t){this.value=t.value,this.viewProps=t.viewProps,this.hPaletteC_=new Uv(e,{value:this.value,viewProps:this.viewProps}),this.svPaletteC_=new Bv(e,{value:this.value,viewProps:this.viewProps}),this.alphaIcs_=t.supportsAlpha?{palette:new Dv(e,{value:this.value,viewProps:this.viewProps}),text:new yo(e,{parser:Ks,props:mt.fromObject({pointerScale:.01,keyScale:.1,formatter:_i(2)}),value:rn(0,{constraint:new po({min:0,max:1})}),viewProps:this.viewProps})}:null,this.alphaIcs_&&Va({primary:this.value,secondary:this.alphaIcs_.text.value,forward:n=>n.getComponents()[3],backward:(n,s)=>{let r=n.getComponents();return r[3]=s,new Ct(r,n.mode)}}),this.textsC_=new Fv(e,{colorType:t.colorType,value:this.value,viewProps:this.viewProps}),this.view=new Iv(e,{alphaViews:this.alphaIcs_?{palette:this.alphaIcs_.palette.view,text:this.alphaIcs_.text.view}:null,hPaletteView:this.hPaletteC_.view,supportsAlpha:t.supportsAlpha,svPaletteView:this.svPaletteC_.view,textsView:this.textsC_.view,viewProps:this.viewProps})}get textsController(){return this.textsC_}},Bg=At("colsw"),Vv=class{constructor(e,t){this.onValueChange_=this.onValueChange_.bind(this),t.value.emitter.on("change",this.onValueChange_),this.value=t.value,this.element=e.createElement("div"),this.element.classList.add(Bg()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("div");n.classList.add(Bg("sw")),this.element.appendChild(n),this.swatchElem_=n;let s=e.createElement("button");s.classList.add(Bg("b")),t.viewProps.bindDisabled(s),this.element.appendChild(s),this.buttonElement=s,this.update_()}update_(){let e=this.value.rawValue;this.swatchElem_.style.backgroundColor=A0(e)}onValueChange_(){this.update_()}},Gv=class{constructor(e,t){this.value=t.value,this.viewProps=t.viewProps,this.view=new Vv(e,{value:this.value,viewProps:this.viewProps})}},Ec=class{constructor(e,t){this.onButtonBlur_=this.onButtonBlur_.bind(this),this.onButtonClick_=this.onButtonClick_.bind(this),this.onPopupChildBlur_=this.onPopupChildBlur_.bind(this),this.onPopupChildKeydown_=this.onPopupChildKeydown_.bind(this),this.value=t.value,this.viewProps=t.viewProps,this.foldable_=yc.create(t.expanded),this.swatchC_=new Gv(e,{value:this.value,viewProps:this.viewProps});let n=this.swatchC_.view.buttonElement;n.addEventListener("blur",this.onButtonBlur_),n.addEventListener("click",this.onButtonClick_),this.textC_=new _o(e,{parser:t.parser,props:mt.fromObject({formatter:t.formatter}),value:this.value,viewProps:this.viewProps}),this.view=new Rv(e,{foldable:this.foldable_,pickerLayout:t.pickerLayout}),this.view.swatchElement.appendChild(this.swatchC_.view.element),this.view.textElement.appendChild(this.textC_.view.element),this.popC_=t.pickerLayout==="popup"?new Pp(e,{viewProps:this.viewProps}):null;let s=new zv(e,{colorType:t.colorType,supportsAlpha:t.supportsAlpha,value:this.value,viewProps:this.viewProps});s.view.allFocusableElements.forEach(r=>{r.addEventListener("blur",this.onPopupChildBlur_),r.addEventListener("keydown",this.onPopupChildKeydown_)}),this.pickerC_=s,this.popC_?(this.view.element.appendChild(this.popC_.view.element),this.popC_.view.element.appendChild(s.view.element),Va({primary:this.foldable_.value("expanded"),secondary:this.popC_.shows,forward:r=>r,backward:(r,o)=>o})):this.view.pickerElement&&(this.view.pickerElement.appendChild(this.pickerC_.view.element),y0(this.foldable_,this.view.pickerElement))}get textController(){return this.textC_}onButtonBlur_(e){if(!this.popC_)return;let t=this.view.element,n=e.relatedTarget;(!n||!t.contains(n))&&(this.popC_.shows.rawValue=!1)}onButtonClick_(){this.foldable_.set("expanded",!this.foldable_.get("expanded")),this.foldable_.get("expanded")&&this.pickerC_.view.allFocusableElements[0].focus()}onPopupChildBlur_(e){if(!this.popC_)return;let t=this.popC_.view.element,n=vM(e);n&&t.contains(n)||n&&n===this.swatchC_.view.buttonElement&&!g0(t.ownerDocument)||(this.popC_.shows.rawValue=!1)}onPopupChildKeydown_(e){this.popC_?e.key==="Escape"&&(this.popC_.shows.rawValue=!1):this.view.pickerElement&&e.key==="Escape"&&this.swatchC_.view.buttonElement.focus()}};function dD(i){return Es(i.getComponents("rgb")).reduce((e,t)=>e<<8|Math.floor(t)&255,0)}function pD(i){return i.getComponents("rgb").reduce((e,t,n)=>{let s=Math.floor(n===3?t*255:t)&255;return e<<8|s},0)>>>0}function fD(i){return new Ct([i>>16&255,i>>8&255,i&255],"rgb")}function mD(i){return new Ct([i>>24&255,i>>16&255,i>>8&255,Ft(i&255,0,255,0,1)],"rgb")}function gD(i){return typeof i!="number"?Ct.black():fD(i)}function vD(i){return typeof i!="number"?Ct.black():mD(i)}function _p(i,e){return typeof i!="object"||Yt(i)?!1:e in i&&typeof i[e]=="number"}function qM(i){return _p(i,"r")&&_p(i,"g")&&_p(i,"b")}function XM(i){return qM(i)&&_p(i,"a")}function $M(i){return qM(i)}function E0(i,e){if(i.mode!==e.mode||i.type!==e.type)return!1;let t=i.getComponents(),n=e.getComponents();for(let s=0;s<t.length;s++)if(t[s]!==n[s])return!1;return!0}function Kw(i){return"a"in i?[i.r,i.g,i.b,i.a]:[i.r,i.g,i.b]}function _D(i){let e=WM(i);return e?(t,n)=>{Lc(t,e(n))}:null}function yD(i){let e=i?pD:dD;return(t,n)=>{Lc(t,e(n))}}function bD(i,e,t){let s=ui(e,t).toRgbaObject();i.writeProperty("r",s.r),i.writeProperty("g",s.g),i.writeProperty("b",s.b),i.writeProperty("a",s.a)}function xD(i,e,t){let s=ui(e,t).toRgbaObject();i.writeProperty("r",s.r),i.writeProperty("g",s.g),i.writeProperty("b",s.b)}function wD(i,e){return(t,n)=>{i?bD(t,n,e):xD(t,n,e)}}function MD(i){var e;return!!(!((e=i?.color)===null||e===void 0)&&e.alpha)}function SD(i){return i?e=>A0(e,"0x"):e=>S0(e,"0x")}function AD(i){return"color"in i||i.view==="color"}var ED=di({id:"input-color-number",type:"input",accept:(i,e)=>{if(typeof i!="number"||!AD(e))return null;let t=w0(e);return t?{initialValue:i,params:Object.assign(Object.assign({},t),{supportsAlpha:MD(e)})}:null},binding:{reader:i=>i.params.supportsAlpha?vD:gD,equals:E0,writer:i=>yD(i.params.supportsAlpha)},controller:i=>{var e,t;return new Ec(i.document,{colorType:"int",expanded:(e=i.params.expanded)!==null&&e!==void 0?e:!1,formatter:SD(i.params.supportsAlpha),parser:Dc("int"),pickerLayout:(t=i.params.picker)!==null&&t!==void 0?t:"popup",supportsAlpha:i.params.supportsAlpha,value:i.value,viewProps:i.viewProps})}});function TD(i,e){if(!$M(i))return ui(Ct.black(),e);if(e==="int"){let t=Kw(i);return new Ct(t,"rgb")}if(e==="float"){let t=Kw(i);return new Ac(t,"rgb")}return ui(Ct.black(),"int")}function CD(i){return XM(i)}function PD(i){return e=>{let t=TD(e,i);return ui(t,"int")}}function RD(i,e){return t=>i?HM(t,e):GM(t,e)}var ID=di({id:"input-color-object",type:"input",accept:(i,e)=>{var t;if(!$M(i))return null;let n=w0(e);return n?{initialValue:i,params:Object.assign(Object.assign({},n),{colorType:(t=RM(e))!==null&&t!==void 0?t:"int"})}:null},binding:{reader:i=>PD(i.params.colorType),equals:E0,writer:i=>wD(CD(i.initialValue),i.params.colorType)},controller:i=>{var e,t;let n=XM(i.initialValue);return new Ec(i.document,{colorType:i.params.colorType,expanded:(e=i.params.expanded)!==null&&e!==void 0?e:!1,formatter:RD(n,i.params.colorType),parser:Dc("int"),pickerLayout:(t=i.params.picker)!==null&&t!==void 0?t:"popup",supportsAlpha:n,value:i.value,viewProps:i.viewProps})}}),LD=di({id:"input-color-string",type:"input",accept:(i,e)=>{if(typeof i!="string"||e.view==="text")return null;let t=ZL(i,RM(e));if(!t)return null;let n=WM(t);if(!n)return null;let s=w0(e);return s?{initialValue:i,params:Object.assign(Object.assign({},s),{format:t,stringifier:n})}:null},binding:{reader:()=>QL,equals:E0,writer:i=>{let e=_D(i.params.format);if(!e)throw Hn.notBindable();return e}},controller:i=>{var e,t;return new Ec(i.document,{colorType:i.params.format.type,expanded:(e=i.params.expanded)!==null&&e!==void 0?e:!1,formatter:i.params.stringifier,parser:Dc("int"),pickerLayout:(t=i.params.picker)!==null&&t!==void 0?t:"popup",supportsAlpha:i.params.format.alpha,value:i.value,viewProps:i.viewProps})}}),Tc=class{constructor(e){this.components=e.components,this.asm_=e.assembly}constrain(e){let t=this.asm_.toComponents(e).map((n,s)=>{var r,o;return(o=(r=this.components[s])===null||r===void 0?void 0:r.constrain(n))!==null&&o!==void 0?o:n});return this.asm_.fromComponents(t)}},jw=At("pndtxt"),Hv=class{constructor(e,t){this.textViews=t.textViews,this.element=e.createElement("div"),this.element.classList.add(jw()),this.textViews.forEach(n=>{let s=e.createElement("div");s.classList.add(jw("a")),s.appendChild(n.element),this.element.appendChild(s)})}};function DD(i,e,t){return new yo(i,{arrayPosition:t===0?"fst":t===e.axes.length-1?"lst":"mid",parser:e.parser,props:e.axes[t].textProps,value:rn(0,{constraint:e.axes[t].constraint}),viewProps:e.viewProps})}var Cc=class{constructor(e,t){this.value=t.value,this.viewProps=t.viewProps,this.acs_=t.axes.map((n,s)=>DD(e,t,s)),this.acs_.forEach((n,s)=>{Va({primary:this.value,secondary:n.value,forward:r=>t.assembly.toComponents(r)[s],backward:(r,o)=>{let a=t.assembly.toComponents(r);return a[s]=o,t.assembly.fromComponents(a)}})}),this.view=new Hv(e,{textViews:this.acs_.map(n=>n.view)})}get textControllers(){return this.acs_}},Wv=class extends mo{get max(){return this.controller.valueController.sliderController.props.get("max")}set max(e){this.controller.valueController.sliderController.props.set("max",e)}get min(){return this.controller.valueController.sliderController.props.get("min")}set min(e){this.controller.valueController.sliderController.props.set("min",e)}};function ND(i,e){let t=[],n=hM(i,e);n&&t.push(n);let s=uM(i);s&&t.push(s);let r=x0(i.options);return r&&t.push(r),new go(t)}var FD=di({id:"input-number",type:"input",accept:(i,e)=>{if(typeof i!="number")return null;let t=ln(e,n=>Object.assign(Object.assign({},pM(n)),{options:n.optional.custom(Ic),readonly:n.optional.constant(!1)}));return t?{initialValue:i,params:t}:null},binding:{reader:i=>oM,constraint:i=>ND(i.params,i.initialValue),writer:i=>Lc},controller:i=>{let e=i.value,t=i.constraint,n=t&&Cp(t,vo);if(n)return new As(i.document,{props:new mt({options:n.values.value("options")}),value:e,viewProps:i.viewProps});let s=dM(i.params,e.rawValue),r=t&&Cp(t,po);return r?new ka(i.document,Object.assign(Object.assign({},SM(Object.assign(Object.assign({},s),{keyScale:rn(s.keyScale),max:r.values.value("max"),min:r.values.value("min")}))),{parser:Ks,value:e,viewProps:i.viewProps})):new yo(i.document,{parser:Ks,props:mt.fromObject(s),value:e,viewProps:i.viewProps})},api(i){return typeof i.controller.value.rawValue!="number"?null:i.controller.valueController instanceof ka?new Wv(i.controller):i.controller.valueController instanceof As?new wc(i.controller):null}}),Ms=class{constructor(e=0,t=0){this.x=e,this.y=t}getComponents(){return[this.x,this.y]}static isObject(e){if(Yt(e))return!1;let t=e.x,n=e.y;return!(typeof t!="number"||typeof n!="number")}static equals(e,t){return e.x===t.x&&e.y===t.y}toObject(){return{x:this.x,y:this.y}}},YM={toComponents:i=>i.getComponents(),fromComponents:i=>new Ms(...i)},Da=At("p2d"),qv=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(Da()),t.viewProps.bindClassModifiers(this.element),Ys(t.expanded,Oa(this.element,Da(void 0,"expanded")));let n=e.createElement("div");n.classList.add(Da("h")),this.element.appendChild(n);let s=e.createElement("button");s.classList.add(Da("b")),s.appendChild(Np(e,"p2dpad")),t.viewProps.bindDisabled(s),n.appendChild(s),this.buttonElement=s;let r=e.createElement("div");if(r.classList.add(Da("t")),n.appendChild(r),this.textElement=r,t.pickerLayout==="inline"){let o=e.createElement("div");o.classList.add(Da("p")),this.element.appendChild(o),this.pickerElement=o}else this.pickerElement=null}},Cr=At("p2dp"),Xv=class{constructor(e,t){this.onFoldableChange_=this.onFoldableChange_.bind(this),this.onPropsChange_=this.onPropsChange_.bind(this),this.onValueChange_=this.onValueChange_.bind(this),this.props_=t.props,this.props_.emitter.on("change",this.onPropsChange_),this.element=e.createElement("div"),this.element.classList.add(Cr()),t.layout==="popup"&&this.element.classList.add(Cr(void 0,"p")),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("div");n.classList.add(Cr("p")),t.viewProps.bindTabIndex(n),this.element.appendChild(n),this.padElement=n;let s=e.createElementNS(ws,"svg");s.classList.add(Cr("g")),this.padElement.appendChild(s),this.svgElem_=s;let r=e.createElementNS(ws,"line");r.classList.add(Cr("ax")),r.setAttributeNS(null,"x1","0"),r.setAttributeNS(null,"y1","50%"),r.setAttributeNS(null,"x2","100%"),r.setAttributeNS(null,"y2","50%"),this.svgElem_.appendChild(r);let o=e.createElementNS(ws,"line");o.classList.add(Cr("ax")),o.setAttributeNS(null,"x1","50%"),o.setAttributeNS(null,"y1","0"),o.setAttributeNS(null,"x2","50%"),o.setAttributeNS(null,"y2","100%"),this.svgElem_.appendChild(o);let a=e.createElementNS(ws,"line");a.classList.add(Cr("l")),a.setAttributeNS(null,"x1","50%"),a.setAttributeNS(null,"y1","50%"),this.svgElem_.appendChild(a),this.lineElem_=a;let l=e.createElement("div");l.classList.add(Cr("m")),this.padElement.appendChild(l),this.markerElem_=l,t.value.emitter.on("change",this.onValueChange_),this.value=t.value,this.update_()}get allFocusableElements(){return[this.padElement]}update_(){let[e,t]=this.value.rawValue.getComponents(),n=this.props_.get("max"),s=Ft(e,-n,+n,0,100),r=Ft(t,-n,+n,0,100),o=this.props_.get("invertsY")?100-r:r;this.lineElem_.setAttributeNS(null,"x2",`${s}%`),this.lineElem_.setAttributeNS(null,"y2",`${o}%`),this.markerElem_.style.left=`${s}%`,this.markerElem_.style.top=`${o}%`}onValueChange_(){this.update_()}onPropsChange_(){this.update_()}onFoldableChange_(){this.update_()}};function Jw(i,e,t){return[vi(e[0],Qs(i)),vi(e[1],Mc(i))*(t?1:-1)]}var $v=class{constructor(e,t){this.onPadKeyDown_=this.onPadKeyDown_.bind(this),this.onPadKeyUp_=this.onPadKeyUp_.bind(this),this.onPointerDown_=this.onPointerDown_.bind(this),this.onPointerMove_=this.onPointerMove_.bind(this),this.onPointerUp_=this.onPointerUp_.bind(this),this.props=t.props,this.value=t.value,this.viewProps=t.viewProps,this.view=new Xv(e,{layout:t.layout,props:this.props,value:this.value,viewProps:this.viewProps}),this.ptHandler_=new er(this.view.padElement),this.ptHandler_.emitter.on("down",this.onPointerDown_),this.ptHandler_.emitter.on("move",this.onPointerMove_),this.ptHandler_.emitter.on("up",this.onPointerUp_),this.view.padElement.addEventListener("keydown",this.onPadKeyDown_),this.view.padElement.addEventListener("keyup",this.onPadKeyUp_)}handlePointerEvent_(e,t){if(!e.point)return;let n=this.props.get("max"),s=Ft(e.point.x,0,e.bounds.width,-n,+n),r=Ft(this.props.get("invertsY")?e.bounds.height-e.point.y:e.point.y,0,e.bounds.height,-n,+n);this.value.setRawValue(new Ms(s,r),t)}onPointerDown_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerMove_(e){this.handlePointerEvent_(e.data,{forceEmit:!1,last:!1})}onPointerUp_(e){this.handlePointerEvent_(e.data,{forceEmit:!0,last:!0})}onPadKeyDown_(e){MM(e.key)&&e.preventDefault();let[t,n]=Jw(e,[this.props.get("xKeyScale"),this.props.get("yKeyScale")],this.props.get("invertsY"));t===0&&n===0||this.value.setRawValue(new Ms(this.value.rawValue.x+t,this.value.rawValue.y+n),{forceEmit:!1,last:!1})}onPadKeyUp_(e){let[t,n]=Jw(e,[this.props.get("xKeyScale"),this.props.get("yKeyScale")],this.props.get("invertsY"));t===0&&n===0||this.value.setRawValue(this.value.rawValue,{forceEmit:!0,last:!0})}},Yv=class{constructor(e,t){var n,s;this.onPopupChildBlur_=this.onPopupChildBlur_.bind(this),this.onPopupChildKeydown_=this.onPopupChildKeydown_.bind(this),this.onPadButtonBlur_=this.onPadButtonBlur_.bind(this),this.onPadButtonClick_=this.onPadButtonClick_.bind(this),this.value=t.value,this.viewProps=t.viewProps,this.foldable_=yc.create(t.expanded),this.popC_=t.pickerLayout==="popup"?new Pp(e,{viewProps:this.viewProps}):null;let r=new $v(e,{layout:t.pickerLayout,props:new mt({invertsY:rn(t.invertsY),max:rn(t.max),xKeyScale:t.axes[0].textProps.value("keyScale"),yKeyScale:t.axes[1].textProps.value("keyScale")}),value:this.value,viewProps:this.viewProps});r.view.allFocusableElements.forEach(o=>{o.addEventListener("blur",this.onPopupChildBlur_),o.addEventListener("keydown",this.onPopupChildKeydown_)}),this.pickerC_=r,this.textC_=new Cc(e,{assembly:YM,axes:t.axes,parser:t.parser,value:this.value,viewProps:this.viewProps}),this.view=new qv(e,{expanded:this.foldable_.value("expanded"),pickerLayout:t.pickerLayout,viewProps:this.viewProps}),this.view.textElement.appendChild(this.textC_.view.element),(n=this.view.buttonElement)===null||n===void 0||n.addEventListener("blur",this.onPadButtonBlur_),(s=this.view.buttonElement)===null||s===void 0||s.addEventListener("click",this.onPadButtonClick_),this.popC_?(this.view.element.appendChild(this.popC_.view.element),this.popC_.view.element.appendChild(this.pickerC_.view.element),Va({primary:this.foldable_.value("expanded"),secondary:this.popC_.shows,forward:o=>o,backward:(o,a)=>a})):this.view.pickerElement&&(this.view.pickerElement.appendChild(this.pickerC_.view.element),y0(this.foldable_,this.view.pickerElement))}get textController(){return this.textC_}onPadButtonBlur_(e){if(!this.popC_)return;let t=this.view.element,n=e.relatedTarget;(!n||!t.contains(n))&&(this.popC_.shows.rawValue=!1)}onPadButtonClick_(){this.foldable_.set("expanded",!this.foldable_.get("expanded")),this.foldable_.get("expanded")&&this.pickerC_.view.allFocusableElements[0].focus()}onPopupChildBlur_(e){if(!this.popC_)return;let t=this.popC_.view.element,n=vM(e);n&&t.contains(n)||n&&n===this.view.buttonElement&&!g0(t.ownerDocument)||(this.popC_.shows.rawValue=!1)}onPopupChildKeydown_(e){this.popC_?e.key==="Escape"&&(this.popC_.shows.rawValue=!1):this.view.pickerElement&&e.key==="Escape"&&this.view.buttonElement.focus()}};function kD(i){return Ms.isObject(i)?new Ms(i.x,i.y):new Ms}function UD(i,e){i.writeProperty("x",e.x),i.writeProperty("y",e.y)}function OD(i,e){return new Tc({assembly:YM,components:[$s(Object.assign(Object.assign({},i),i.x),e.x),$s(Object.assign(Object.assign({},i),i.y),e.y)]})}function Zw(i,e){var t,n;if(!Yt(i.min)||!Yt(i.max))return Math.max(Math.abs((t=i.min)!==null&&t!==void 0?t:0),Math.abs((n=i.max)!==null&&n!==void 0?n:0));let s=lM(i);return Math.max(Math.abs(s)*10,Math.abs(e)*10)}function BD(i,e){var t,n;let s=Zw(uo(i,(t=i.x)!==null&&t!==void 0?t:{}),e.x),r=Zw(uo(i,(n=i.y)!==null&&n!==void 0?n:{}),e.y);return Math.max(s,r)}function zD(i){if(!("y"in i))return!1;let e=i.y;return e&&"inverted"in e?!!e.inverted:!1}var VD=di({id:"input-point2d",type:"input",accept:(i,e)=>{if(!Ms.isObject(i))return null;let t=ln(e,n=>Object.assign(Object.assign({},Sc(n)),{expanded:n.optional.boolean,picker:n.optional.custom(EM),readonly:n.optional.constant(!1),x:n.optional.custom(Rr),y:n.optional.object(Object.assign(Object.assign({},Sc(n)),{inverted:n.optional.boolean}))}));return t?{initialValue:i,params:t}:null},binding:{reader:()=>kD,constraint:i=>OD(i.params,i.initialValue),equals:Ms.equals,writer:()=>UD},controller:i=>{var e,t;let n=i.document,s=i.value,r=i.constraint,o=[i.params.x,i.params.y];return new Yv(n,{axes:s.rawValue.getComponents().map((a,l)=>{var c;return m0({constraint:r.components[l],initialValue:a,params:uo(i.params,(c=o[l])!==null&&c!==void 0?c:{})})}),expanded:(e=i.params.expanded)!==null&&e!==void 0?e:!1,invertsY:zD(i.params),max:BD(i.params,s.rawValue),parser:Ks,pickerLayout:(t=i.params.picker)!==null&&t!==void 0?t:"popup",value:s,viewProps:i.viewProps})}}),Ir=class{constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}getComponents(){return[this.x,this.y,this.z]}static isObject(e){if(Yt(e))return!1;let t=e.x,n=e.y,s=e.z;return!(typeof t!="number"||typeof n!="number"||typeof s!="number")}static equals(e,t){return e.x===t.x&&e.y===t.y&&e.z===t.z}toObject(){return{x:this.x,y:this.y,z:this.z}}},KM={toComponents:i=>i.getComponents(),fromComponents:i=>new Ir(...i)};function GD(i){return Ir.isObject(i)?new Ir(i.x,i.y,i.z):new Ir}function HD(i,e){i.writeProperty("x",e.x),i.writeProperty("y",e.y),i.writeProperty("z",e.z)}function WD(i,e){return new Tc({assembly:KM,components:[$s(Object.assign(Object.assign({},i),i.x),e.x),$s(Object.assign(Object.assign({},i),i.y),e.y),$s(Object.assign(Object.assign({},i),i.z),e.z)]})}var qD=di({id:"input-point3d",type:"input",accept:(i,e)=>{if(!Ir.isObject(i))return null;let t=ln(e,n=>Object.assign(Object.assign({},Sc(n)),{readonly:n.optional.constant(!1),x:n.optional.custom(Rr),y:n.optional.custom(Rr),z:n.optional.custom(Rr)}));return t?{initialValue:i,params:t}:null},binding:{reader:i=>GD,constraint:i=>WD(i.params,i.initialValue),equals:Ir.equals,writer:i=>HD},controller:i=>{let e=i.value,t=i.constraint,n=[i.params.x,i.params.y,i.params.z];return new Cc(i.document,{assembly:KM,axes:e.rawValue.getComponents().map((s,r)=>{var o;return m0({constraint:t.components[r],initialValue:s,params:uo(i.params,(o=n[r])!==null&&o!==void 0?o:{})})}),parser:Ks,value:e,viewProps:i.viewProps})}}),Lr=class{constructor(e=0,t=0,n=0,s=0){this.x=e,this.y=t,this.z=n,this.w=s}getComponents(){return[this.x,this.y,this.z,this.w]}static isObject(e){if(Yt(e))return!1;let t=e.x,n=e.y,s=e.z,r=e.w;return!(typeof t!="number"||typeof n!="number"||typeof s!="number"||typeof r!="number")}static equals(e,t){return e.x===t.x&&e.y===t.y&&e.z===t.z&&e.w===t.w}toObject(){return{x:this.x,y:this.y,z:this.z,w:this.w}}},jM={toComponents:i=>i.getComponents(),fromComponents:i=>new Lr(...i)};function XD(i){return Lr.isObject(i)?new Lr(i.x,i.y,i.z,i.w):new Lr}function $D(i,e){i.writeProperty("x",e.x),i.writeProperty("y",e.y),i.writeProperty("z",e.z),i.writeProperty("w",e.w)}function YD(i,e){return new Tc({assembly:jM,components:[$s(Object.assign(Object.assign({},i),i.x),e.x),$s(Object.assign(Object.assign({},i),i.y),e.y),$s(Object.assign(Object.assign({},i),i.z),e.z),$s(Object.assign(Object.assign({},i),i.w),e.w)]})}var KD=di({id:"input-point4d",type:"input",accept:(i,e)=>{if(!Lr.isObject(i))return null;let t=ln(e,n=>Object.assign(Object.assign({},Sc(n)),{readonly:n.optional.constant(!1),w:n.optional.custom(Rr),x:n.optional.custom(Rr),y:n.optional.custom(Rr),z:n.optional.custom(Rr)}));return t?{initialValue:i,params:t}:null},binding:{reader:i=>XD,constraint:i=>YD(i.params,i.initialValue),equals:Lr.equals,writer:i=>$D},controller:i=>{let e=i.value,t=i.constraint,n=[i.params.x,i.params.y,i.params.z,i.params.w];return new Cc(i.document,{assembly:jM,axes:e.rawValue.getComponents().map((s,r)=>{var o;return m0({constraint:t.components[r],initialValue:s,params:uo(i.params,(o=n[r])!==null&&o!==void 0?o:{})})}),parser:Ks,value:e,viewProps:i.viewProps})}});function jD(i){let e=[],t=x0(i.options);return t&&e.push(t),new go(e)}var JD=di({id:"input-string",type:"input",accept:(i,e)=>{if(typeof i!="string")return null;let t=ln(e,n=>({readonly:n.optional.constant(!1),options:n.optional.custom(Ic)}));return t?{initialValue:i,params:t}:null},binding:{reader:i=>wM,constraint:i=>jD(i.params),writer:i=>Lc},controller:i=>{let e=i.document,t=i.value,n=i.constraint,s=n&&Cp(n,vo);return s?new As(e,{props:new mt({options:s.values.value("options")}),value:t,viewProps:i.viewProps}):new _o(e,{parser:r=>r,props:mt.fromObject({formatter:Mv}),value:t,viewProps:i.viewProps})},api(i){return typeof i.controller.value.rawValue!="string"?null:i.controller.valueController instanceof As?new wc(i.controller):null}}),Nc={monitor:{defaultInterval:200,defaultRows:3}},Qw=At("mll"),Kv=class{constructor(e,t){this.onValueUpdate_=this.onValueUpdate_.bind(this),this.formatter_=t.formatter,this.element=e.createElement("div"),this.element.classList.add(Qw()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("textarea");n.classList.add(Qw("i")),n.style.height=`calc(var(${AM("containerUnitSize")}) * ${t.rows})`,n.readOnly=!0,t.viewProps.bindDisabled(n),this.element.appendChild(n),this.textareaElem_=n,t.value.emitter.on("change",this.onValueUpdate_),this.value=t.value,this.update_()}update_(){let e=this.textareaElem_,t=e.scrollTop===e.scrollHeight-e.clientHeight,n=[];this.value.rawValue.forEach(s=>{s!==void 0&&n.push(this.formatter_(s))}),e.textContent=n.join(`
`),t&&(e.scrollTop=e.scrollHeight)}onValueUpdate_(){this.update_()}},Pc=class{constructor(e,t){this.value=t.value,this.viewProps=t.viewProps,this.view=new Kv(e,{formatter:t.formatter,rows:t.rows,value:this.value,viewProps:this.viewProps})}},eM=At("sgl"),jv=class{constructor(e,t){this.onValueUpdate_=this.onValueUpdate_.bind(this),this.formatter_=t.formatter,this.element=e.createElement("div"),this.element.classList.add(eM()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("input");n.classList.add(eM("i")),n.readOnly=!0,n.type="text",t.viewProps.bindDisabled(n),this.element.appendChild(n),this.inputElement=n,t.value.emitter.on("change",this.onValueUpdate_),this.value=t.value,this.update_()}update_(){let e=this.value.rawValue,t=e[e.length-1];this.inputElement.value=t!==void 0?this.formatter_(t):""}onValueUpdate_(){this.update_()}},Rc=class{constructor(e,t){this.value=t.value,this.viewProps=t.viewProps,this.view=new jv(e,{formatter:t.formatter,value:this.value,viewProps:this.viewProps})}},ZD=di({id:"monitor-bool",type:"monitor",accept:(i,e)=>{if(typeof i!="boolean")return null;let t=ln(e,n=>({readonly:n.required.constant(!0),rows:n.optional.number}));return t?{initialValue:i,params:t}:null},binding:{reader:i=>xM},controller:i=>{var e;return i.value.rawValue.length===1?new Rc(i.document,{formatter:Ww,value:i.value,viewProps:i.viewProps}):new Pc(i.document,{formatter:Ww,rows:(e=i.params.rows)!==null&&e!==void 0?e:Nc.monitor.defaultRows,value:i.value,viewProps:i.viewProps})}}),Jv=class extends mo{get max(){return this.controller.valueController.props.get("max")}set max(e){this.controller.valueController.props.set("max",e)}get min(){return this.controller.valueController.props.get("min")}set min(e){this.controller.valueController.props.set("min",e)}},Pr=At("grl"),Zv=class{constructor(e,t){this.onCursorChange_=this.onCursorChange_.bind(this),this.onValueUpdate_=this.onValueUpdate_.bind(this),this.element=e.createElement("div"),this.element.classList.add(Pr()),t.viewProps.bindClassModifiers(this.element),this.formatter_=t.formatter,this.props_=t.props,this.cursor_=t.cursor,this.cursor_.emitter.on("change",this.onCursorChange_);let n=e.createElementNS(ws,"svg");n.classList.add(Pr("g")),n.style.height=`calc(var(${AM("containerUnitSize")}) * ${t.rows})`,this.element.appendChild(n),this.svgElem_=n;let s=e.createElementNS(ws,"polyline");this.svgElem_.appendChild(s),this.lineElem_=s;let r=e.createElement("div");r.classList.add(Pr("t"),At("tt")()),this.element.appendChild(r),this.tooltipElem_=r,t.value.emitter.on("change",this.onValueUpdate_),this.value=t.value,this.update_()}get graphElement(){return this.svgElem_}update_(){let{clientWidth:e,clientHeight:t}=this.element,n=this.value.rawValue.length-1,s=this.props_.get("min"),r=this.props_.get("max"),o=[];this.value.rawValue.forEach((u,d)=>{if(u===void 0)return;let p=Ft(d,0,n,0,e),f=Ft(u,s,r,t,0);o.push([p,f].join(","))}),this.lineElem_.setAttributeNS(null,"points",o.join(" "));let a=this.tooltipElem_,l=this.value.rawValue[this.cursor_.rawValue];if(l===void 0){a.classList.remove(Pr("t","a"));return}let c=Ft(this.cursor_.rawValue,0,n,0,e),h=Ft(l,s,r,t,0);a.style.left=`${c}px`,a.style.top=`${h}px`,a.textContent=`${this.formatter_(l)}`,a.classList.contains(Pr("t","a"))||(a.classList.add(Pr("t","a"),Pr("t","in")),bp(a),a.classList.remove(Pr("t","in")))}onValueUpdate_(){this.update_()}onCursorChange_(){this.update_()}},Ip=class{constructor(e,t){if(this.onGraphMouseMove_=this.onGraphMouseMove_.bind(this),this.onGraphMouseLeave_=this.onGraphMouseLeave_.bind(this),this.onGraphPointerDown_=this.onGraphPointerDown_.bind(this),this.onGraphPointerMove_=this.onGraphPointerMove_.bind(this),this.onGraphPointerUp_=this.onGraphPointerUp_.bind(this),this.props=t.props,this.value=t.value,this.viewProps=t.viewProps,this.cursor_=rn(-1),this.view=new Zv(e,{cursor:this.cursor_,formatter:t.formatter,rows:t.rows,props:this.props,value:this.value,viewProps:this.viewProps}),!g0(e))this.view.element.addEventListener("mousemove",this.onGraphMouseMove_),this.view.element.addEventListener("mouseleave",this.onGraphMouseLeave_);else{let n=new er(this.view.element);n.emitter.on("down",this.onGraphPointerDown_),n.emitter.on("move",this.onGraphPointerMove_),n.emitter.on("up",this.onGraphPointerUp_)}}importProps(e){return Ii(e,null,t=>({max:t.required.number,min:t.required.number}),t=>(this.props.set("max",t.max),this.props.set("min",t.min),!0))}exportProps(){return Li(null,{max:this.props.get("max"),min:this.props.get("min")})}onGraphMouseLeave_(){this.cursor_.rawValue=-1}onGraphMouseMove_(e){let{clientWidth:t}=this.view.element;this.cursor_.rawValue=Math.floor(Ft(e.offsetX,0,t,0,this.value.rawValue.length))}onGraphPointerDown_(e){this.onGraphPointerMove_(e)}onGraphPointerMove_(e){if(!e.data.point){this.cursor_.rawValue=-1;return}this.cursor_.rawValue=Math.floor(Ft(e.data.point.x,0,e.data.bounds.width,0,this.value.rawValue.length))}onGraphPointerUp_(){this.cursor_.rawValue=-1}};function Qv(i){return Yt(i.format)?_i(2):i.format}function QD(i){var e;return i.value.rawValue.length===1?new Rc(i.document,{formatter:Qv(i.params),value:i.value,viewProps:i.viewProps}):new Pc(i.document,{formatter:Qv(i.params),rows:(e=i.params.rows)!==null&&e!==void 0?e:Nc.monitor.defaultRows,value:i.value,viewProps:i.viewProps})}function eN(i){var e,t,n;return new Ip(i.document,{formatter:Qv(i.params),rows:(e=i.params.rows)!==null&&e!==void 0?e:Nc.monitor.defaultRows,props:mt.fromObject({max:(t=i.params.max)!==null&&t!==void 0?t:100,min:(n=i.params.min)!==null&&n!==void 0?n:0}),value:i.value,viewProps:i.viewProps})}function tM(i){return i.view==="graph"}var tN=di({id:"monitor-number",type:"monitor",accept:(i,e)=>{if(typeof i!="number")return null;let t=ln(e,n=>({format:n.optional.function,max:n.optional.number,min:n.optional.number,readonly:n.required.constant(!0),rows:n.optional.number,view:n.optional.string}));return t?{initialValue:i,params:t}:null},binding:{defaultBufferSize:i=>tM(i)?64:1,reader:i=>oM},controller:i=>tM(i.params)?eN(i):QD(i),api:i=>i.controller.valueController instanceof Ip?new Jv(i.controller):null}),nN=di({id:"monitor-string",type:"monitor",accept:(i,e)=>{if(typeof i!="string")return null;let t=ln(e,n=>({multiline:n.optional.boolean,readonly:n.required.constant(!0),rows:n.optional.number}));return t?{initialValue:i,params:t}:null},binding:{reader:i=>wM},controller:i=>{var e;let t=i.value;return t.rawValue.length>1||i.params.multiline?new Pc(i.document,{formatter:Mv,rows:(e=i.params.rows)!==null&&e!==void 0?e:Nc.monitor.defaultRows,value:t,viewProps:i.viewProps}):new Rc(i.document,{formatter:Mv,value:t,viewProps:i.viewProps})}}),e0=class{constructor(){this.map_=new Map}get(e){var t;return(t=this.map_.get(e))!==null&&t!==void 0?t:null}has(e){return this.map_.has(e)}add(e,t){return this.map_.set(e,t),e.viewProps.handleDispose(()=>{this.map_.delete(e)}),t}},t0=class{constructor(e){this.target=e.target,this.reader_=e.reader,this.writer_=e.writer}read(){return this.reader_(this.target.read())}write(e){this.writer_(this.target,e)}inject(e){this.write(this.reader_(e))}};function iN(i,e){var t;let n=i.accept(e.target.read(),e.params);if(Yt(n))return null;let s={target:e.target,initialValue:n.initialValue,params:n.params},r=ln(e.params,u=>({disabled:u.optional.boolean,hidden:u.optional.boolean,label:u.optional.string,tag:u.optional.string})),o=i.binding.reader(s),a=i.binding.constraint?i.binding.constraint(s):void 0,l=new t0({reader:o,target:e.target,writer:i.binding.writer(s)}),c=new Zg(rn(o(n.initialValue),{constraint:a,equals:i.binding.equals}),l),h=i.controller({constraint:a,document:e.document,initialValue:n.initialValue,params:n.params,value:c,viewProps:Zs.create({disabled:r?.disabled,hidden:r?.hidden})});return new ev(e.document,{blade:za(),props:mt.fromObject({label:"label"in e.params?(t=r?.label)!==null&&t!==void 0?t:null:e.target.key}),tag:r?.tag,value:c,valueController:h})}var n0=class{constructor(e){this.target=e.target,this.reader_=e.reader}read(){return this.reader_(this.target.read())}};function sN(i,e){return e===0?new _v:new yv(i,e??Nc.monitor.defaultInterval)}function rN(i,e){var t,n,s;let r=i.accept(e.target.read(),e.params);if(Yt(r))return null;let o={target:e.target,initialValue:r.initialValue,params:r.params},a=ln(e.params,d=>({bufferSize:d.optional.number,disabled:d.optional.boolean,hidden:d.optional.boolean,interval:d.optional.number,label:d.optional.string})),l=i.binding.reader(o),c=(n=(t=a?.bufferSize)!==null&&t!==void 0?t:i.binding.defaultBufferSize&&i.binding.defaultBufferSize(r.params))!==null&&n!==void 0?n:1,h=new tv({binding:new n0({reader:l,target:e.target}),bufferSize:c,ticker:sN(e.document,a?.interval)}),u=i.controller({document:e.document,params:r.params,value:h,viewProps:Zs.create({disabled:a?.disabled,hidden:a?.hidden})});return u.viewProps.bindDisabled(h.ticker),u.viewProps.handleDispose(()=>{h.ticker.dispose()}),new nv(e.document,{blade:za(),props:mt.fromObject({label:"label"in e.params?(s=a?.label)!==null&&s!==void 0?s:null:e.target.key}),value:h,valueController:u})}var i0=class{constructor(e){this.pluginsMap_={blades:[],inputs:[],monitors:[]},this.apiCache_=e}getAll(){return[...this.pluginsMap_.blades,...this.pluginsMap_.inputs,...this.pluginsMap_.monitors]}register(e,t){if(!EL(t.core))throw Hn.notCompatible(e,t.id);t.type==="blade"?this.pluginsMap_.blades.unshift(t):t.type==="input"?this.pluginsMap_.inputs.unshift(t):t.type==="monitor"&&this.pluginsMap_.monitors.unshift(t)}createInput_(e,t,n){return this.pluginsMap_.inputs.reduce((s,r)=>s??iN(r,{document:e,target:t,params:n}),null)}createMonitor_(e,t,n){return this.pluginsMap_.monitors.reduce((s,r)=>s??rN(r,{document:e,params:n,target:t}),null)}createBinding(e,t,n){let s=t.read();if(Yt(s))throw new Hn({context:{key:t.key},type:"nomatchingcontroller"});let r=this.createInput_(e,t,n);if(r)return r;let o=this.createMonitor_(e,t,n);if(o)return o;throw new Hn({context:{key:t.key},type:"nomatchingcontroller"})}createBlade(e,t){let n=this.pluginsMap_.blades.reduce((s,r)=>s??bL(r,{document:e,params:t}),null);if(!n)throw new Hn({type:"nomatchingview",context:{params:t}});return n}createInputBindingApi_(e){let t=this.pluginsMap_.inputs.reduce((n,s)=>{var r,o;return n||((o=(r=s.api)===null||r===void 0?void 0:r.call(s,{controller:e}))!==null&&o!==void 0?o:null)},null);return this.apiCache_.add(e,t??new mo(e))}createMonitorBindingApi_(e){let t=this.pluginsMap_.monitors.reduce((n,s)=>{var r,o;return n||((o=(r=s.api)===null||r===void 0?void 0:r.call(s,{controller:e}))!==null&&o!==void 0?o:null)},null);return this.apiCache_.add(e,t??new mo(e))}createBindingApi(e){if(this.apiCache_.has(e))return this.apiCache_.get(e);if(nL(e))return this.createInputBindingApi_(e);if(aL(e))return this.createMonitorBindingApi_(e);throw Hn.shouldNeverHappen()}createApi(e){if(this.apiCache_.has(e))return this.apiCache_.get(e);if(tL(e))return this.createBindingApi(e);let t=this.pluginsMap_.blades.reduce((n,s)=>n??s.api({controller:e,pool:this}),null);if(!t)throw Hn.shouldNeverHappen();return this.apiCache_.add(e,t)}},oN=new e0;function aN(){let i=new i0(oN);return[VD,qD,KD,JD,FD,LD,ID,ED,CL,ZD,nN,tN,cL,_L,bM].forEach(e=>{i.register("core",e)}),i}var s0=class extends js{constructor(e){super(e),this.emitter_=new fn,this.controller.value.emitter.on("change",t=>{this.emitter_.emit("change",new fo(this,t.rawValue))})}get label(){return this.controller.labelController.props.get("label")}set label(e){this.controller.labelController.props.set("label",e)}get options(){return this.controller.valueController.props.get("options")}set options(e){this.controller.valueController.props.set("options",e)}get value(){return this.controller.value.rawValue}set value(e){this.controller.value.rawValue=e}on(e,t){let n=t.bind(this);return this.emitter_.on(e,s=>{n(s)},{key:t}),this}off(e,t){return this.emitter_.off(e,t),this}},r0=class extends js{},o0=class extends js{constructor(e){super(e),this.emitter_=new fn,this.controller.value.emitter.on("change",t=>{this.emitter_.emit("change",new fo(this,t.rawValue))})}get label(){return this.controller.labelController.props.get("label")}set label(e){this.controller.labelController.props.set("label",e)}get max(){return this.controller.valueController.sliderController.props.get("max")}set max(e){this.controller.valueController.sliderController.props.set("max",e)}get min(){return this.controller.valueController.sliderController.props.get("min")}set min(e){this.controller.valueController.sliderController.props.set("min",e)}get value(){return this.controller.value.rawValue}set value(e){this.controller.value.rawValue=e}on(e,t){let n=t.bind(this);return this.emitter_.on(e,s=>{n(s)},{key:t}),this}off(e,t){return this.emitter_.off(e,t),this}},a0=class extends js{constructor(e){super(e),this.emitter_=new fn,this.controller.value.emitter.on("change",t=>{this.emitter_.emit("change",new fo(this,t.rawValue))})}get label(){return this.controller.labelController.props.get("label")}set label(e){this.controller.labelController.props.set("label",e)}get formatter(){return this.controller.valueController.props.get("formatter")}set formatter(e){this.controller.valueController.props.set("formatter",e)}get value(){return this.controller.value.rawValue}set value(e){this.controller.value.rawValue=e}on(e,t){let n=t.bind(this);return this.emitter_.on(e,s=>{n(s)},{key:t}),this}off(e,t){return this.emitter_.off(e,t),this}},lN=(function(){return{id:"list",type:"blade",core:Ba,accept(i){let e=ln(i,t=>({options:t.required.custom(Ic),value:t.required.raw,view:t.required.constant("list"),label:t.optional.string}));return e?{params:e}:null},controller(i){let e=new vo(b0(i.params.options)),t=rn(i.params.value,{constraint:e}),n=new As(i.document,{props:new mt({options:e.values.value("options")}),value:t,viewProps:i.viewProps});return new Js(i.document,{blade:i.blade,props:mt.fromObject({label:i.params.label}),value:t,valueController:n})},api(i){return!(i.controller instanceof Js)||!(i.controller.valueController instanceof As)?null:new s0(i.controller)}}})(),l0=class extends Ep{constructor(e,t){super(e,t)}get element(){return this.controller.view.element}},c0=class extends bc{constructor(e,t){super(e,{expanded:t.expanded,blade:t.blade,props:t.props,root:!0,viewProps:t.viewProps})}},nM=At("spr"),h0=class{constructor(e,t){this.element=e.createElement("div"),this.element.classList.add(nM()),t.viewProps.bindClassModifiers(this.element);let n=e.createElement("hr");n.classList.add(nM("r")),this.element.appendChild(n)}},Lp=class extends Fa{constructor(e,t){super(Object.assign(Object.assign({},t),{view:new h0(e,{viewProps:t.viewProps})}))}},cN={id:"separator",type:"blade",core:Ba,accept(i){let e=ln(i,t=>({view:t.required.constant("separator")}));return e?{params:e}:null},controller(i){return new Lp(i.document,{blade:i.blade,viewProps:i.viewProps})},api(i){return i.controller instanceof Lp?new r0(i.controller):null}},hN={id:"slider",type:"blade",core:Ba,accept(i){let e=ln(i,t=>({max:t.required.number,min:t.required.number,view:t.required.constant("slider"),format:t.optional.function,label:t.optional.string,value:t.optional.number}));return e?{params:e}:null},controller(i){var e,t;let n=(e=i.params.value)!==null&&e!==void 0?e:0,s=new po({max:i.params.max,min:i.params.min}),r=rn(n,{constraint:s}),o=new ka(i.document,Object.assign(Object.assign({},SM({formatter:(t=i.params.format)!==null&&t!==void 0?t:zI,keyScale:rn(1),max:s.values.value("max"),min:s.values.value("min"),pointerScale:cM(i.params,n)})),{parser:Ks,value:r,viewProps:i.viewProps}));return new Js(i.document,{blade:i.blade,props:mt.fromObject({label:i.params.label}),value:r,valueController:o})},api(i){return!(i.controller instanceof Js)||!(i.controller.valueController instanceof ka)?null:new o0(i.controller)}},uN=(function(){return{id:"text",type:"blade",core:Ba,accept(i){let e=ln(i,t=>({parse:t.required.function,value:t.required.raw,view:t.required.constant("text"),format:t.optional.function,label:t.optional.string}));return e?{params:e}:null},controller(i){var e;let t=rn(i.params.value),n=new _o(i.document,{parser:i.params.parse,props:mt.fromObject({formatter:(e=i.params.format)!==null&&e!==void 0?e:(s=>String(s))}),value:t,viewProps:i.viewProps});return new Js(i.document,{blade:i.blade,props:mt.fromObject({label:i.params.label}),value:t,valueController:n})},api(i){return!(i.controller instanceof Js)||!(i.controller.valueController instanceof _o)?null:new a0(i.controller)}}})();function dN(i){let e=i.createElement("div");return e.classList.add(At("dfw")()),i.body&&i.body.appendChild(e),e}function pN(i,e,t){if(i.querySelector(`style[data-tp-style=${e}]`))return;let n=i.createElement("style");n.dataset.tpStyle=e,n.textContent=t,i.head.appendChild(n)}var Dp=class extends l0{constructor(e){var t,n;let s=e??{},r=(t=s.document)!==null&&t!==void 0?t:YI(),o=aN(),a=new c0(r,{expanded:s.expanded,blade:za(),props:mt.fromObject({title:s.title}),viewProps:Zs.create()});super(a,o),this.pool_=o,this.containerElem_=(n=s.container)!==null&&n!==void 0?n:dN(r),this.containerElem_.appendChild(this.element),this.doc_=r,this.usesDefaultWrapper_=!s.container,this.setUpDefaultPlugins_()}get document(){if(!this.doc_)throw Hn.alreadyDisposed();return this.doc_}dispose(){let e=this.containerElem_;if(!e)throw Hn.alreadyDisposed();if(this.usesDefaultWrapper_){let t=e.parentElement;t&&t.removeChild(e)}this.containerElem_=null,this.doc_=null,super.dispose()}registerPlugin(e){e.css&&pN(this.document,`plugin-${e.id}`,e.css),("plugin"in e?[e.plugin]:"plugins"in e?e.plugins:[]).forEach(n=>{this.pool_.register(e.id,n)})}setUpDefaultPlugins_(){this.registerPlugin({id:"default",css:'.tp-tbiv_b,.tp-coltxtv_ms,.tp-colswv_b,.tp-ckbv_i,.tp-sglv_i,.tp-mllv_i,.tp-grlv_g,.tp-txtv_i,.tp-p2dpv_p,.tp-colswv_sw,.tp-rotv_b,.tp-fldv_b,.tp-p2dv_b,.tp-btnv_b,.tp-lstv_s{-webkit-appearance:none;-moz-appearance:none;appearance:none;background-color:rgba(0,0,0,0);border-width:0;font-family:inherit;font-size:inherit;font-weight:inherit;margin:0;outline:none;padding:0}.tp-p2dv_b,.tp-btnv_b,.tp-lstv_s{background-color:var(--btn-bg);border-radius:var(--bld-br);color:var(--btn-fg);cursor:pointer;display:block;font-weight:bold;height:var(--cnt-usz);line-height:var(--cnt-usz);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.tp-p2dv_b:hover,.tp-btnv_b:hover,.tp-lstv_s:hover{background-color:var(--btn-bg-h)}.tp-p2dv_b:focus,.tp-btnv_b:focus,.tp-lstv_s:focus{background-color:var(--btn-bg-f)}.tp-p2dv_b:active,.tp-btnv_b:active,.tp-lstv_s:active{background-color:var(--btn-bg-a)}.tp-p2dv_b:disabled,.tp-btnv_b:disabled,.tp-lstv_s:disabled{opacity:.5}.tp-rotv_c>.tp-cntv.tp-v-lst,.tp-tbpv_c>.tp-cntv.tp-v-lst,.tp-fldv_c>.tp-cntv.tp-v-lst{margin-bottom:calc(-1*var(--cnt-vp))}.tp-rotv_c>.tp-fldv.tp-v-lst .tp-fldv_c,.tp-tbpv_c>.tp-fldv.tp-v-lst .tp-fldv_c,.tp-fldv_c>.tp-fldv.tp-v-lst .tp-fldv_c{border-bottom-left-radius:0}.tp-rotv_c>.tp-fldv.tp-v-lst .tp-fldv_b,.tp-tbpv_c>.tp-fldv.tp-v-lst .tp-fldv_b,.tp-fldv_c>.tp-fldv.tp-v-lst .tp-fldv_b{border-bottom-left-radius:0}.tp-rotv_c>*:not(.tp-v-fst),.tp-tbpv_c>*:not(.tp-v-fst),.tp-fldv_c>*:not(.tp-v-fst){margin-top:var(--cnt-usp)}.tp-rotv_c>.tp-sprv:not(.tp-v-fst),.tp-tbpv_c>.tp-sprv:not(.tp-v-fst),.tp-fldv_c>.tp-sprv:not(.tp-v-fst),.tp-rotv_c>.tp-cntv:not(.tp-v-fst),.tp-tbpv_c>.tp-cntv:not(.tp-v-fst),.tp-fldv_c>.tp-cntv:not(.tp-v-fst){margin-top:var(--cnt-vp)}.tp-rotv_c>.tp-sprv+*:not(.tp-v-hidden),.tp-tbpv_c>.tp-sprv+*:not(.tp-v-hidden),.tp-fldv_c>.tp-sprv+*:not(.tp-v-hidden),.tp-rotv_c>.tp-cntv+*:not(.tp-v-hidden),.tp-tbpv_c>.tp-cntv+*:not(.tp-v-hidden),.tp-fldv_c>.tp-cntv+*:not(.tp-v-hidden){margin-top:var(--cnt-vp)}.tp-rotv_c>.tp-sprv:not(.tp-v-hidden)+.tp-sprv,.tp-tbpv_c>.tp-sprv:not(.tp-v-hidden)+.tp-sprv,.tp-fldv_c>.tp-sprv:not(.tp-v-hidden)+.tp-sprv,.tp-rotv_c>.tp-cntv:not(.tp-v-hidden)+.tp-cntv,.tp-tbpv_c>.tp-cntv:not(.tp-v-hidden)+.tp-cntv,.tp-fldv_c>.tp-cntv:not(.tp-v-hidden)+.tp-cntv{margin-top:0}.tp-tbpv_c>.tp-cntv,.tp-fldv_c>.tp-cntv{margin-left:4px}.tp-tbpv_c>.tp-fldv>.tp-fldv_b,.tp-fldv_c>.tp-fldv>.tp-fldv_b{border-top-left-radius:var(--bld-br);border-bottom-left-radius:var(--bld-br)}.tp-tbpv_c>.tp-fldv.tp-fldv-expanded>.tp-fldv_b,.tp-fldv_c>.tp-fldv.tp-fldv-expanded>.tp-fldv_b{border-bottom-left-radius:0}.tp-tbpv_c .tp-fldv>.tp-fldv_c,.tp-fldv_c .tp-fldv>.tp-fldv_c{border-bottom-left-radius:var(--bld-br)}.tp-tbpv_c>.tp-cntv+.tp-fldv>.tp-fldv_b,.tp-fldv_c>.tp-cntv+.tp-fldv>.tp-fldv_b{border-top-left-radius:0}.tp-tbpv_c>.tp-cntv+.tp-tabv>.tp-tabv_t,.tp-fldv_c>.tp-cntv+.tp-tabv>.tp-tabv_t{border-top-left-radius:0}.tp-tbpv_c>.tp-tabv>.tp-tabv_t,.tp-fldv_c>.tp-tabv>.tp-tabv_t{border-top-left-radius:var(--bld-br)}.tp-tbpv_c .tp-tabv>.tp-tabv_c,.tp-fldv_c .tp-tabv>.tp-tabv_c{border-bottom-left-radius:var(--bld-br)}.tp-rotv_b,.tp-fldv_b{background-color:var(--cnt-bg);color:var(--cnt-fg);cursor:pointer;display:block;height:calc(var(--cnt-usz) + 4px);line-height:calc(var(--cnt-usz) + 4px);overflow:hidden;padding-left:var(--cnt-hp);padding-right:calc(4px + var(--cnt-usz) + var(--cnt-hp));position:relative;text-align:left;text-overflow:ellipsis;white-space:nowrap;width:100%;transition:border-radius .2s ease-in-out .2s}.tp-rotv_b:hover,.tp-fldv_b:hover{background-color:var(--cnt-bg-h)}.tp-rotv_b:focus,.tp-fldv_b:focus{background-color:var(--cnt-bg-f)}.tp-rotv_b:active,.tp-fldv_b:active{background-color:var(--cnt-bg-a)}.tp-rotv_b:disabled,.tp-fldv_b:disabled{opacity:.5}.tp-rotv_m,.tp-fldv_m{background:linear-gradient(to left, var(--cnt-fg), var(--cnt-fg) 2px, transparent 2px, transparent 4px, var(--cnt-fg) 4px);border-radius:2px;bottom:0;content:"";display:block;height:6px;right:calc(var(--cnt-hp) + (var(--cnt-usz) + 4px - 6px)/2 - 2px);margin:auto;opacity:.5;position:absolute;top:0;transform:rotate(90deg);transition:transform .2s ease-in-out;width:6px}.tp-rotv.tp-rotv-expanded .tp-rotv_m,.tp-fldv.tp-fldv-expanded>.tp-fldv_b>.tp-fldv_m{transform:none}.tp-rotv_c,.tp-fldv_c{box-sizing:border-box;height:0;opacity:0;overflow:hidden;padding-bottom:0;padding-top:0;position:relative;transition:height .2s ease-in-out,opacity .2s linear,padding .2s ease-in-out}.tp-rotv.tp-rotv-cpl:not(.tp-rotv-expanded) .tp-rotv_c,.tp-fldv.tp-fldv-cpl:not(.tp-fldv-expanded)>.tp-fldv_c{display:none}.tp-rotv.tp-rotv-expanded .tp-rotv_c,.tp-fldv.tp-fldv-expanded>.tp-fldv_c{opacity:1;padding-bottom:var(--cnt-vp);padding-top:var(--cnt-vp);transform:none;overflow:visible;transition:height .2s ease-in-out,opacity .2s linear .2s,padding .2s ease-in-out}.tp-txtv_i,.tp-p2dpv_p,.tp-colswv_sw{background-color:var(--in-bg);border-radius:var(--bld-br);box-sizing:border-box;color:var(--in-fg);font-family:inherit;height:var(--cnt-usz);line-height:var(--cnt-usz);min-width:0;width:100%}.tp-txtv_i:hover,.tp-p2dpv_p:hover,.tp-colswv_sw:hover{background-color:var(--in-bg-h)}.tp-txtv_i:focus,.tp-p2dpv_p:focus,.tp-colswv_sw:focus{background-color:var(--in-bg-f)}.tp-txtv_i:active,.tp-p2dpv_p:active,.tp-colswv_sw:active{background-color:var(--in-bg-a)}.tp-txtv_i:disabled,.tp-p2dpv_p:disabled,.tp-colswv_sw:disabled{opacity:.5}.tp-lstv,.tp-coltxtv_m{position:relative}.tp-lstv_s{padding:0 20px 0 4px;width:100%}.tp-lstv_m,.tp-coltxtv_mm{bottom:0;margin:auto;pointer-events:none;position:absolute;right:2px;top:0}.tp-lstv_m svg,.tp-coltxtv_mm svg{bottom:0;height:16px;margin:auto;position:absolute;right:0;top:0;width:16px}.tp-lstv_m svg path,.tp-coltxtv_mm svg path{fill:currentColor}.tp-sglv_i,.tp-mllv_i,.tp-grlv_g{background-color:var(--mo-bg);border-radius:var(--bld-br);box-sizing:border-box;color:var(--mo-fg);height:var(--cnt-usz);scrollbar-color:currentColor rgba(0,0,0,0);scrollbar-width:thin;width:100%}.tp-sglv_i::-webkit-scrollbar,.tp-mllv_i::-webkit-scrollbar,.tp-grlv_g::-webkit-scrollbar{height:8px;width:8px}.tp-sglv_i::-webkit-scrollbar-corner,.tp-mllv_i::-webkit-scrollbar-corner,.tp-grlv_g::-webkit-scrollbar-corner{background-color:rgba(0,0,0,0)}.tp-sglv_i::-webkit-scrollbar-thumb,.tp-mllv_i::-webkit-scrollbar-thumb,.tp-grlv_g::-webkit-scrollbar-thumb{background-clip:padding-box;background-color:currentColor;border:rgba(0,0,0,0) solid 2px;border-radius:4px}.tp-pndtxtv,.tp-coltxtv_w{display:flex}.tp-pndtxtv_a,.tp-coltxtv_c{width:100%}.tp-pndtxtv_a+.tp-pndtxtv_a,.tp-coltxtv_c+.tp-pndtxtv_a,.tp-pndtxtv_a+.tp-coltxtv_c,.tp-coltxtv_c+.tp-coltxtv_c{margin-left:2px}.tp-rotv{--bs-bg: var(--tp-base-background-color, hsl(230, 7%, 17%));--bs-br: var(--tp-base-border-radius, 6px);--bs-ff: var(--tp-base-font-family, Roboto Mono, Source Code Pro, Menlo, Courier, monospace);--bs-sh: var(--tp-base-shadow-color, rgba(0, 0, 0, 0.2));--bld-br: var(--tp-blade-border-radius, 2px);--bld-hp: var(--tp-blade-horizontal-padding, 4px);--bld-vw: var(--tp-blade-value-width, 160px);--btn-bg: var(--tp-button-background-color, hsl(230, 7%, 70%));--btn-bg-a: var(--tp-button-background-color-active, #d6d7db);--btn-bg-f: var(--tp-button-background-color-focus, #c8cad0);--btn-bg-h: var(--tp-button-background-color-hover, #bbbcc4);--btn-fg: var(--tp-button-foreground-color, hsl(230, 7%, 17%));--cnt-bg: var(--tp-container-background-color, rgba(187, 188, 196, 0.1));--cnt-bg-a: var(--tp-container-background-color-active, rgba(187, 188, 196, 0.25));--cnt-bg-f: var(--tp-container-background-color-focus, rgba(187, 188, 196, 0.2));--cnt-bg-h: var(--tp-container-background-color-hover, rgba(187, 188, 196, 0.15));--cnt-fg: var(--tp-container-foreground-color, hsl(230, 7%, 75%));--cnt-hp: var(--tp-container-horizontal-padding, 4px);--cnt-vp: var(--tp-container-vertical-padding, 4px);--cnt-usp: var(--tp-container-unit-spacing, 4px);--cnt-usz: var(--tp-container-unit-size, 20px);--in-bg: var(--tp-input-background-color, rgba(187, 188, 196, 0.1));--in-bg-a: var(--tp-input-background-color-active, rgba(187, 188, 196, 0.25));--in-bg-f: var(--tp-input-background-color-focus, rgba(187, 188, 196, 0.2));--in-bg-h: var(--tp-input-background-color-hover, rgba(187, 188, 196, 0.15));--in-fg: var(--tp-input-foreground-color, hsl(230, 7%, 75%));--lbl-fg: var(--tp-label-foreground-color, rgba(187, 188, 196, 0.7));--mo-bg: var(--tp-monitor-background-color, rgba(0, 0, 0, 0.2));--mo-fg: var(--tp-monitor-foreground-color, rgba(187, 188, 196, 0.7));--grv-fg: var(--tp-groove-foreground-color, rgba(187, 188, 196, 0.1))}.tp-btnv_b{width:100%}.tp-btnv_t{text-align:center}.tp-ckbv_l{display:block;position:relative}.tp-ckbv_i{left:0;opacity:0;position:absolute;top:0}.tp-ckbv_w{background-color:var(--in-bg);border-radius:var(--bld-br);cursor:pointer;display:block;height:var(--cnt-usz);position:relative;width:var(--cnt-usz)}.tp-ckbv_w svg{display:block;height:16px;inset:0;margin:auto;opacity:0;position:absolute;width:16px}.tp-ckbv_w svg path{fill:none;stroke:var(--in-fg);stroke-width:2}.tp-ckbv_i:hover+.tp-ckbv_w{background-color:var(--in-bg-h)}.tp-ckbv_i:focus+.tp-ckbv_w{background-color:var(--in-bg-f)}.tp-ckbv_i:active+.tp-ckbv_w{background-color:var(--in-bg-a)}.tp-ckbv_i:checked+.tp-ckbv_w svg{opacity:1}.tp-ckbv.tp-v-disabled .tp-ckbv_w{opacity:.5}.tp-colv{position:relative}.tp-colv_h{display:flex}.tp-colv_s{flex-grow:0;flex-shrink:0;width:var(--cnt-usz)}.tp-colv_t{flex:1;margin-left:4px}.tp-colv_p{height:0;margin-top:0;opacity:0;overflow:hidden;transition:height .2s ease-in-out,opacity .2s linear,margin .2s ease-in-out}.tp-colv.tp-colv-expanded.tp-colv-cpl .tp-colv_p{overflow:visible}.tp-colv.tp-colv-expanded .tp-colv_p{margin-top:var(--cnt-usp);opacity:1}.tp-colv .tp-popv{left:calc(-1*var(--cnt-hp));right:calc(-1*var(--cnt-hp));top:var(--cnt-usz)}.tp-colpv_h,.tp-colpv_ap{margin-left:6px;margin-right:6px}.tp-colpv_h{margin-top:var(--cnt-usp)}.tp-colpv_rgb{display:flex;margin-top:var(--cnt-usp);width:100%}.tp-colpv_a{display:flex;margin-top:var(--cnt-vp);padding-top:calc(var(--cnt-vp) + 2px);position:relative}.tp-colpv_a::before{background-color:var(--grv-fg);content:"";height:2px;left:calc(-1*var(--cnt-hp));position:absolute;right:calc(-1*var(--cnt-hp));top:0}.tp-colpv.tp-v-disabled .tp-colpv_a::before{opacity:.5}.tp-colpv_ap{align-items:center;display:flex;flex:3}.tp-colpv_at{flex:1;margin-left:4px}.tp-svpv{border-radius:var(--bld-br);outline:none;overflow:hidden;position:relative}.tp-svpv.tp-v-disabled{opacity:.5}.tp-svpv_c{cursor:crosshair;display:block;height:calc(var(--cnt-usz)*4);width:100%}.tp-svpv_m{border-radius:100%;border:rgba(255,255,255,.75) solid 2px;box-sizing:border-box;filter:drop-shadow(0 0 1px rgba(0, 0, 0, 0.3));height:12px;margin-left:-6px;margin-top:-6px;pointer-events:none;position:absolute;width:12px}.tp-svpv:focus .tp-svpv_m{border-color:#fff}.tp-hplv{cursor:pointer;height:var(--cnt-usz);outline:none;position:relative}.tp-hplv.tp-v-disabled{opacity:.5}.tp-hplv_c{background-image:url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAAABCAYAAABubagXAAAAQ0lEQVQoU2P8z8Dwn0GCgQEDi2OK/RBgYHjBgIpfovFh8j8YBIgzFGQxuqEgPhaDOT5gOhPkdCxOZeBg+IDFZZiGAgCaSSMYtcRHLgAAAABJRU5ErkJggg==);background-position:left top;background-repeat:no-repeat;background-size:100% 100%;border-radius:2px;display:block;height:4px;left:0;margin-top:-2px;position:absolute;top:50%;width:100%}.tp-hplv_m{border-radius:var(--bld-br);border:rgba(255,255,255,.75) solid 2px;box-shadow:0 0 2px rgba(0,0,0,.1);box-sizing:border-box;height:12px;left:50%;margin-left:-6px;margin-top:-6px;position:absolute;top:50%;width:12px}.tp-hplv:focus .tp-hplv_m{border-color:#fff}.tp-aplv{cursor:pointer;height:var(--cnt-usz);outline:none;position:relative;width:100%}.tp-aplv.tp-v-disabled{opacity:.5}.tp-aplv_b{background-color:#fff;background-image:linear-gradient(to top right, #ddd 25%, transparent 25%, transparent 75%, #ddd 75%),linear-gradient(to top right, #ddd 25%, transparent 25%, transparent 75%, #ddd 75%);background-size:4px 4px;background-position:0 0,2px 2px;border-radius:2px;display:block;height:4px;left:0;margin-top:-2px;overflow:hidden;position:absolute;top:50%;width:100%}.tp-aplv_c{inset:0;position:absolute}.tp-aplv_m{background-color:#fff;background-image:linear-gradient(to top right, #ddd 25%, transparent 25%, transparent 75%, #ddd 75%),linear-gradient(to top right, #ddd 25%, transparent 25%, transparent 75%, #ddd 75%);background-size:12px 12px;background-position:0 0,6px 6px;border-radius:var(--bld-br);box-shadow:0 0 2px rgba(0,0,0,.1);height:12px;left:50%;margin-left:-6px;margin-top:-6px;overflow:hidden;position:absolute;top:50%;width:12px}.tp-aplv_p{border-radius:var(--bld-br);border:rgba(255,255,255,.75) solid 2px;box-sizing:border-box;inset:0;position:absolute}.tp-aplv:focus .tp-aplv_p{border-color:#fff}.tp-colswv{background-color:#fff;background-image:linear-gradient(to top right, #ddd 25%, transparent 25%, transparent 75%, #ddd 75%),linear-gradient(to top right, #ddd 25%, transparent 25%, transparent 75%, #ddd 75%);background-size:10px 10px;background-position:0 0,5px 5px;border-radius:var(--bld-br);overflow:hidden}.tp-colswv.tp-v-disabled{opacity:.5}.tp-colswv_sw{border-radius:0}.tp-colswv_b{cursor:pointer;display:block;height:var(--cnt-usz);left:0;position:absolute;top:0;width:var(--cnt-usz)}.tp-colswv_b:focus::after{border:rgba(255,255,255,.75) solid 2px;border-radius:var(--bld-br);content:"";display:block;inset:0;position:absolute}.tp-coltxtv{display:flex;width:100%}.tp-coltxtv_m{margin-right:4px}.tp-coltxtv_ms{border-radius:var(--bld-br);color:var(--lbl-fg);cursor:pointer;height:var(--cnt-usz);line-height:var(--cnt-usz);padding:0 18px 0 4px}.tp-coltxtv_ms:hover{background-color:var(--in-bg-h)}.tp-coltxtv_ms:focus{background-color:var(--in-bg-f)}.tp-coltxtv_ms:active{background-color:var(--in-bg-a)}.tp-coltxtv_mm{color:var(--lbl-fg)}.tp-coltxtv.tp-v-disabled .tp-coltxtv_mm{opacity:.5}.tp-coltxtv_w{flex:1}.tp-dfwv{position:absolute;top:8px;right:8px;width:256px}.tp-fldv{position:relative}.tp-fldv_t{padding-left:4px}.tp-fldv_b:disabled .tp-fldv_m{display:none}.tp-fldv_c{padding-left:4px}.tp-fldv_i{bottom:0;color:var(--cnt-bg);left:0;overflow:hidden;position:absolute;top:calc(var(--cnt-usz) + 4px);width:max(var(--bs-br),4px)}.tp-fldv_i::before{background-color:currentColor;bottom:0;content:"";left:0;position:absolute;top:0;width:4px}.tp-fldv_b:hover+.tp-fldv_i{color:var(--cnt-bg-h)}.tp-fldv_b:focus+.tp-fldv_i{color:var(--cnt-bg-f)}.tp-fldv_b:active+.tp-fldv_i{color:var(--cnt-bg-a)}.tp-fldv.tp-v-disabled>.tp-fldv_i{opacity:.5}.tp-grlv{position:relative}.tp-grlv_g{display:block;height:calc(var(--cnt-usz)*3)}.tp-grlv_g polyline{fill:none;stroke:var(--mo-fg);stroke-linejoin:round}.tp-grlv_t{margin-top:-4px;transition:left .05s,top .05s;visibility:hidden}.tp-grlv_t.tp-grlv_t-a{visibility:visible}.tp-grlv_t.tp-grlv_t-in{transition:none}.tp-grlv.tp-v-disabled .tp-grlv_g{opacity:.5}.tp-grlv .tp-ttv{background-color:var(--mo-fg)}.tp-grlv .tp-ttv::before{border-top-color:var(--mo-fg)}.tp-lblv{align-items:center;display:flex;line-height:1.3;padding-left:var(--cnt-hp);padding-right:var(--cnt-hp)}.tp-lblv.tp-lblv-nol{display:block}.tp-lblv_l{color:var(--lbl-fg);flex:1;-webkit-hyphens:auto;hyphens:auto;overflow:hidden;padding-left:4px;padding-right:16px}.tp-lblv.tp-v-disabled .tp-lblv_l{opacity:.5}.tp-lblv.tp-lblv-nol .tp-lblv_l{display:none}.tp-lblv_v{align-self:flex-start;flex-grow:0;flex-shrink:0;width:var(--bld-vw)}.tp-lblv.tp-lblv-nol .tp-lblv_v{width:100%}.tp-lstv_s{padding:0 20px 0 var(--bld-hp);width:100%}.tp-lstv_m{color:var(--btn-fg)}.tp-sglv_i{padding-left:var(--bld-hp);padding-right:var(--bld-hp)}.tp-sglv.tp-v-disabled .tp-sglv_i{opacity:.5}.tp-mllv_i{display:block;height:calc(var(--cnt-usz)*3);line-height:var(--cnt-usz);padding-left:var(--bld-hp);padding-right:var(--bld-hp);resize:none;white-space:pre}.tp-mllv.tp-v-disabled .tp-mllv_i{opacity:.5}.tp-p2dv{position:relative}.tp-p2dv_h{display:flex}.tp-p2dv_b{height:var(--cnt-usz);margin-right:4px;position:relative;width:var(--cnt-usz)}.tp-p2dv_b svg{display:block;height:16px;left:50%;margin-left:-8px;margin-top:-8px;position:absolute;top:50%;width:16px}.tp-p2dv_b svg path{stroke:currentColor;stroke-width:2}.tp-p2dv_b svg circle{fill:currentColor}.tp-p2dv_t{flex:1}.tp-p2dv_p{height:0;margin-top:0;opacity:0;overflow:hidden;transition:height .2s ease-in-out,opacity .2s linear,margin .2s ease-in-out}.tp-p2dv.tp-p2dv-expanded .tp-p2dv_p{margin-top:var(--cnt-usp);opacity:1}.tp-p2dv .tp-popv{left:calc(-1*var(--cnt-hp));right:calc(-1*var(--cnt-hp));top:var(--cnt-usz)}.tp-p2dpv{padding-left:calc(var(--cnt-usz) + 4px)}.tp-p2dpv_p{cursor:crosshair;height:0;overflow:hidden;padding-bottom:100%;position:relative}.tp-p2dpv.tp-v-disabled .tp-p2dpv_p{opacity:.5}.tp-p2dpv_g{display:block;height:100%;left:0;pointer-events:none;position:absolute;top:0;width:100%}.tp-p2dpv_ax{opacity:.1;stroke:var(--in-fg);stroke-dasharray:1}.tp-p2dpv_l{opacity:.5;stroke:var(--in-fg);stroke-dasharray:1}.tp-p2dpv_m{border:var(--in-fg) solid 1px;border-radius:50%;box-sizing:border-box;height:4px;margin-left:-2px;margin-top:-2px;position:absolute;width:4px}.tp-p2dpv_p:focus .tp-p2dpv_m{background-color:var(--in-fg);border-width:0}.tp-popv{background-color:var(--bs-bg);border-radius:var(--bs-br);box-shadow:0 2px 4px var(--bs-sh);display:none;max-width:var(--bld-vw);padding:var(--cnt-vp) var(--cnt-hp);position:absolute;visibility:hidden;z-index:1000}.tp-popv.tp-popv-v{display:block;visibility:visible}.tp-sldv.tp-v-disabled{opacity:.5}.tp-sldv_t{box-sizing:border-box;cursor:pointer;height:var(--cnt-usz);margin:0 6px;outline:none;position:relative}.tp-sldv_t::before{background-color:var(--in-bg);border-radius:1px;content:"";display:block;height:2px;inset:0;margin:auto;position:absolute}.tp-sldv_k{height:100%;left:0;position:absolute;top:0}.tp-sldv_k::before{background-color:var(--in-fg);border-radius:1px;content:"";display:block;height:2px;inset:0;margin-bottom:auto;margin-top:auto;position:absolute}.tp-sldv_k::after{background-color:var(--btn-bg);border-radius:var(--bld-br);bottom:0;content:"";display:block;height:12px;margin-bottom:auto;margin-top:auto;position:absolute;right:-6px;top:0;width:12px}.tp-sldv_t:hover .tp-sldv_k::after{background-color:var(--btn-bg-h)}.tp-sldv_t:focus .tp-sldv_k::after{background-color:var(--btn-bg-f)}.tp-sldv_t:active .tp-sldv_k::after{background-color:var(--btn-bg-a)}.tp-sldtxtv{display:flex}.tp-sldtxtv_s{flex:2}.tp-sldtxtv_t{flex:1;margin-left:4px}.tp-tabv{position:relative}.tp-tabv_t{align-items:flex-end;color:var(--cnt-bg);display:flex;overflow:hidden;position:relative}.tp-tabv_t:hover{color:var(--cnt-bg-h)}.tp-tabv_t:has(*:focus){color:var(--cnt-bg-f)}.tp-tabv_t:has(*:active){color:var(--cnt-bg-a)}.tp-tabv_t::before{background-color:currentColor;bottom:0;content:"";height:2px;left:0;pointer-events:none;position:absolute;right:0}.tp-tabv.tp-v-disabled .tp-tabv_t::before{opacity:.5}.tp-tabv.tp-tabv-nop .tp-tabv_t{height:calc(var(--cnt-usz) + 4px);position:relative}.tp-tabv.tp-tabv-nop .tp-tabv_t::before{background-color:var(--cnt-bg);bottom:0;content:"";height:2px;left:0;position:absolute;right:0}.tp-tabv_i{bottom:0;color:var(--cnt-bg);left:0;overflow:hidden;position:absolute;top:calc(var(--cnt-usz) + 4px);width:max(var(--bs-br),4px)}.tp-tabv_i::before{background-color:currentColor;bottom:0;content:"";left:0;position:absolute;top:0;width:4px}.tp-tabv_t:hover+.tp-tabv_i{color:var(--cnt-bg-h)}.tp-tabv_t:has(*:focus)+.tp-tabv_i{color:var(--cnt-bg-f)}.tp-tabv_t:has(*:active)+.tp-tabv_i{color:var(--cnt-bg-a)}.tp-tabv.tp-v-disabled>.tp-tabv_i{opacity:.5}.tp-tbiv{flex:1;min-width:0;position:relative}.tp-tbiv+.tp-tbiv{margin-left:2px}.tp-tbiv+.tp-tbiv.tp-v-disabled::before{opacity:.5}.tp-tbiv_b{display:block;padding-left:calc(var(--cnt-hp) + 4px);padding-right:calc(var(--cnt-hp) + 4px);position:relative;width:100%}.tp-tbiv_b:disabled{opacity:.5}.tp-tbiv_b::before{background-color:var(--cnt-bg);content:"";inset:0 0 2px;pointer-events:none;position:absolute}.tp-tbiv_b:hover::before{background-color:var(--cnt-bg-h)}.tp-tbiv_b:focus::before{background-color:var(--cnt-bg-f)}.tp-tbiv_b:active::before{background-color:var(--cnt-bg-a)}.tp-tbiv_t{color:var(--cnt-fg);height:calc(var(--cnt-usz) + 4px);line-height:calc(var(--cnt-usz) + 4px);opacity:.5;overflow:hidden;position:relative;text-overflow:ellipsis}.tp-tbiv.tp-tbiv-sel .tp-tbiv_t{opacity:1}.tp-tbpv_c{padding-bottom:var(--cnt-vp);padding-left:4px;padding-top:var(--cnt-vp)}.tp-txtv{position:relative}.tp-txtv_i{padding-left:var(--bld-hp);padding-right:var(--bld-hp)}.tp-txtv.tp-txtv-fst .tp-txtv_i{border-bottom-right-radius:0;border-top-right-radius:0}.tp-txtv.tp-txtv-mid .tp-txtv_i{border-radius:0}.tp-txtv.tp-txtv-lst .tp-txtv_i{border-bottom-left-radius:0;border-top-left-radius:0}.tp-txtv.tp-txtv-num .tp-txtv_i{text-align:right}.tp-txtv.tp-txtv-drg .tp-txtv_i{opacity:.3}.tp-txtv_k{cursor:pointer;height:100%;left:calc(var(--bld-hp) - 5px);position:absolute;top:0;width:12px}.tp-txtv_k::before{background-color:var(--in-fg);border-radius:1px;bottom:0;content:"";height:calc(var(--cnt-usz) - 4px);left:50%;margin-bottom:auto;margin-left:-1px;margin-top:auto;opacity:.1;position:absolute;top:0;transition:border-radius .1s,height .1s,transform .1s,width .1s;width:2px}.tp-txtv_k:hover::before,.tp-txtv.tp-txtv-drg .tp-txtv_k::before{opacity:1}.tp-txtv.tp-txtv-drg .tp-txtv_k::before{border-radius:50%;height:4px;transform:translateX(-1px);width:4px}.tp-txtv_g{bottom:0;display:block;height:8px;left:50%;margin:auto;overflow:visible;pointer-events:none;position:absolute;top:0;visibility:hidden;width:100%}.tp-txtv.tp-txtv-drg .tp-txtv_g{visibility:visible}.tp-txtv_gb{fill:none;stroke:var(--in-fg);stroke-dasharray:1}.tp-txtv_gh{fill:none;stroke:var(--in-fg)}.tp-txtv .tp-ttv{margin-left:6px;visibility:hidden}.tp-txtv.tp-txtv-drg .tp-ttv{visibility:visible}.tp-ttv{background-color:var(--in-fg);border-radius:var(--bld-br);color:var(--bs-bg);padding:2px 4px;pointer-events:none;position:absolute;transform:translate(-50%, -100%)}.tp-ttv::before{border-color:var(--in-fg) rgba(0,0,0,0) rgba(0,0,0,0) rgba(0,0,0,0);border-style:solid;border-width:2px;box-sizing:border-box;content:"";font-size:.9em;height:4px;left:50%;margin-left:-2px;position:absolute;top:100%;width:4px}.tp-rotv{background-color:var(--bs-bg);border-radius:var(--bs-br);box-shadow:0 2px 4px var(--bs-sh);font-family:var(--bs-ff);font-size:11px;font-weight:500;line-height:1;text-align:left}.tp-rotv_b{border-bottom-left-radius:var(--bs-br);border-bottom-right-radius:var(--bs-br);border-top-left-radius:var(--bs-br);border-top-right-radius:var(--bs-br);padding-left:calc(4px + var(--cnt-usz) + var(--cnt-hp));text-align:center}.tp-rotv.tp-rotv-expanded .tp-rotv_b{border-bottom-left-radius:0;border-bottom-right-radius:0;transition-delay:0s;transition-duration:0s}.tp-rotv.tp-rotv-not>.tp-rotv_b{display:none}.tp-rotv_b:disabled .tp-rotv_m{display:none}.tp-rotv_c>.tp-fldv.tp-v-lst>.tp-fldv_c{border-bottom-left-radius:var(--bs-br);border-bottom-right-radius:var(--bs-br)}.tp-rotv_c>.tp-fldv.tp-v-lst>.tp-fldv_i{border-bottom-left-radius:var(--bs-br)}.tp-rotv_c>.tp-fldv.tp-v-lst:not(.tp-fldv-expanded)>.tp-fldv_b{border-bottom-left-radius:var(--bs-br);border-bottom-right-radius:var(--bs-br)}.tp-rotv_c>.tp-fldv.tp-v-lst.tp-fldv-expanded>.tp-fldv_b{transition-delay:0s;transition-duration:0s}.tp-rotv_c .tp-fldv.tp-v-vlst:not(.tp-fldv-expanded)>.tp-fldv_b{border-bottom-right-radius:var(--bs-br)}.tp-rotv.tp-rotv-not .tp-rotv_c>.tp-fldv.tp-v-fst{margin-top:calc(-1*var(--cnt-vp))}.tp-rotv.tp-rotv-not .tp-rotv_c>.tp-fldv.tp-v-fst>.tp-fldv_b{border-top-left-radius:var(--bs-br);border-top-right-radius:var(--bs-br)}.tp-rotv_c>.tp-tabv.tp-v-lst>.tp-tabv_c{border-bottom-left-radius:var(--bs-br);border-bottom-right-radius:var(--bs-br)}.tp-rotv_c>.tp-tabv.tp-v-lst>.tp-tabv_i{border-bottom-left-radius:var(--bs-br)}.tp-rotv.tp-rotv-not .tp-rotv_c>.tp-tabv.tp-v-fst{margin-top:calc(-1*var(--cnt-vp))}.tp-rotv.tp-rotv-not .tp-rotv_c>.tp-tabv.tp-v-fst>.tp-tabv_t{border-top-left-radius:var(--bs-br);border-top-right-radius:var(--bs-br)}.tp-rotv.tp-v-disabled,.tp-rotv .tp-v-disabled{pointer-events:none}.tp-rotv.tp-v-hidden,.tp-rotv .tp-v-hidden{display:none}.tp-sprv_r{background-color:var(--grv-fg);border-width:0;display:block;height:2px;margin:0;width:100%}.tp-sprv.tp-v-disabled .tp-sprv_r{opacity:.5}',plugins:[lN,cN,hN,bM,uN]})}},QV=new Ap("4.0.5");var QM=["x","y","z","w"];function eS(i,e,t,n){let s=mN(e),r={value:s.shown},o=!1,a=i.addBinding(r,"value",{label:e.unit?`${e.name} [${e.unit}]`:e.name,disabled:!e.editable,...s.options}),{element:l}=a;return l.title=[e.doc,fN(e),e.why&&`Cannot change now: ${e.why}.`].filter(Boolean).join(`
`),l.dataset.path=e.path,a.on("change",c=>{if(!o)try{t(s.toServer(c.value),c.last)}catch{n(`${e.path}: this cannot be read; write it as JSON, such as ${JSON.stringify(e.value)}`)}}),{leaf:e,element:l,put(c){o=!0,r.value=s.toPage(c),a.refresh(),o=!1}}}function fN(i){let e=i.above!==void 0?`more than ${i.above}`:i.low!==void 0?`from ${i.low}`:"",t=i.high!==void 0?`up to ${i.high}`:"";return[e,t].filter(Boolean).join(", ")}function mN(i){if(i.optional||i.kind==="data"||i.kind==="list"||i.kind==="several")return ZM(i);if(i.kind==="choice")return vN(i);if(i.kind==="vector")return QM.length>=(i.size??9)&&i.of!=="text"?_N(i):ZM(i);let e=n=>n,t=i.kind==="number"||i.kind==="whole"?gN(i):{};return{shown:i.value,options:t,toPage:e,toServer:e}}function gN(i){let e=i.low??i.above,{high:t}=i,n=i.kind==="whole"?{step:1}:{},s=Math.abs(i.value)||1;if(e!==void 0&&t!==void 0&&t-e<=2500)return{...n,min:e,max:t,format:JM(t-e)};let o={...e!==void 0?{min:e}:{},...t!==void 0&&e===void 0?{max:t}:{}};return{...n,...o,format:JM(s),pointerScale:i.kind==="whole"?.2:s/100}}function JM(i){let e=Math.max(0,Math.min(6,4-Math.ceil(Math.log10(i))));return t=>t!==0&&Math.abs(t)<10**-e?t.toPrecision(2):String(Number(t.toFixed(e)))}function vN(i){let e=Object.fromEntries((i.choices??[]).map(n=>[String(n),n])),t=n=>n;return{shown:i.value,options:{options:e},toPage:t,toServer:t}}function _N(i){let e=QM.slice(0,i.size),t=r=>Object.fromEntries(e.map((o,a)=>[o,r[a]])),n=i.low??i.above,s={...n!==void 0?{min:n}:{},...i.high!==void 0?{max:i.high}:{},...i.of==="whole"?{step:1}:{}};return{shown:t(i.value),options:Object.fromEntries(e.map(r=>[r,s])),toPage:t,toServer:r=>e.map(o=>r[o])}}function ZM(i){let e=i.kind==="text"||i.kind==="choice",t=i.kind==="several"||i.kind==="list"&&i.of==="text",n=r=>r==null?"":t?r.join(", "):typeof r=="string"?r:JSON.stringify(r),s=r=>{let o=String(r).trim();return t?o?o.split(/\s*,\s*/):[]:o===""?i.optional?null:"":e||i.value===o?o:/^[[{"\d.+-]|^(true|false|null)$/.test(o)?JSON.parse(o):o};return{shown:n(i.value),options:{},toPage:n,toServer:s}}function Ga(i){return"items"in i}function*T0(i){for(let e of i)Ga(e)?yield*T0(e.items):yield e}function C0(i,e){let t=e.toLowerCase().split(/\s+/).filter(Boolean);if(!t.length)return i;let n=s=>{let r=`${s.path} ${s.doc}`.toLowerCase();return t.every(o=>r.includes(o))};return i.flatMap(s=>{if(!Ga(s))return n(s)?[s]:[];let r=C0(s.items,e);return r.length?[{...s,items:r}]:[]})}function kp(i){return i.map(e=>Ga(e)?`${e.path}(${kp(e.items)})`:`${e.path}:${e.value===null}:${e.editable}`).join(",")}var yN=100,bN=400,xN=/^(world|streaming)\.|\.sensors\./,Up=class{constructor(e){this.app=e;let t=tt("reset","read all values again",()=>this.read());this.element.append(X("div",{class:"tools"},this.filter,t),this.holder),e.events.on("welcome",()=>this.seen&&this.read()),e.events.on("robots",()=>this.seen&&this.readSoon()),e.events.on("selected",n=>{n&&this.open.add("robots").add(`robots.${n}`).add(`robots.${n}.sensors`),this.seen&&this.build()})}app;title="Properties";element=X("div",{class:"properties"});holder=X("div",{class:"pane"});filter=X("input",{type:"search",placeholder:"find a property","aria-label":"find a property",oninput:()=>this.build()});nodes=[];pane=null;shape=null;why="";open=new Set(["environment","environment.weather"]);fields=new Map;waiting=new Map;sender=0;reader=0;seen=!1;show(){this.seen=!0,this.read()}hide(){this.seen=!1}async read(){if(window.clearTimeout(this.reader),!!this.app.connection.open)try{let e=await this.app.connection.ask({do:"properties"});this.why="",this.take(e??[])}catch(e){this.why=e.message,this.take([])}}readSoon(){window.clearTimeout(this.reader),this.reader=window.setTimeout(()=>this.seen&&this.read(),bN)}take(e){if(this.nodes=e,kp(e)!==this.shape)return this.build();for(let t of T0(e)){let n=this.fields.get(t.path);!n||this.waiting.has(t.path)||n.element.contains(document.activeElement)||(JSON.stringify(n.leaf.value)!==JSON.stringify(t.value)&&n.put(t.value),n.leaf.value=t.value)}}build(){this.shape=kp(this.nodes);let e=this.holder.scrollTop;this.pane?.dispose(),this.fields.clear(),this.holder.replaceChildren(),this.pane=null;let t=C0(this.nodes,this.filter.value);t.length?(this.pane=new Dp({container:this.holder}),this.fill(this.pane,t,this.filter.value.trim()!=="")):this.holder.append(X("p",{class:"dim"},this.empty())),this.holder.scrollTop=e}empty(){return this.app.welcome?.mode==="replay"?"a recording has no properties":this.nodes.length?"nothing of that name":this.why||"not connected"}fill(e,t,n){for(let s of t)Ga(s)||this.addLeaf(e,s);for(let s of t)Ga(s)&&(s.items.length||s.list)&&this.addGroup(e,s,n)}addGroup(e,t,n){let s=n||this.open.has(t.path),r=e.addFolder({title:t.name.replaceAll("_"," "),expanded:s});r.element.querySelector("button").title=t.doc;let o=!1,a=()=>{o||(o=!0,this.fill(r,t.items,n),this.addListButtons(r,t))};s&&a(),r.on("fold",l=>{l.target===r&&(l.expanded?this.open.add(t.path):this.open.delete(t.path),l.expanded&&a())})}addListButtons(e,t){if(t.editable)if(t.list){let n=t.value??[];e.addButton({title:"add"}).on("click",()=>this.send(t.path,[...n,{}])),n.length&&e.addButton({title:"remove last"}).on("click",()=>this.send(t.path,n.slice(0,-1)))}else t.optional&&e.addButton({title:"none"}).on("click",()=>this.send(t.path,null))}addLeaf(e,t){let n=(s,r)=>this.changed(t,s,r);this.fields.set(t.path,eS(e,t,n,s=>this.app.notice(s,"error")))}changed(e,t,n){!n&&xN.test(e.path)||(this.waiting.set(e.path,t),n?this.flush():this.sender||=window.setTimeout(()=>this.flush(),yN))}flush(){window.clearTimeout(this.sender),this.sender=0;let e=[...this.waiting];this.waiting.clear();for(let[t,n]of e)this.send(t,n)}async send(e,t){let n=this.fields.get(e);try{await this.app.connection.ask({do:"set",path:e,value:t}),n&&(n.leaf.value=t)}catch(s){this.app.notice(s.message,"error"),n?.put(n.leaf.value),n?.element.classList.add("refused"),window.setTimeout(()=>n?.element.classList.remove("refused"),1500)}this.readSoon()}};var wN="Starting \u2026",Op=class{element=X("div",{class:"starting panel",role:"status",hidden:!0},wN);constructor(e){e.events.on("connection",({state:t})=>this.element.hidden=t!=="open"),e.events.on("state",({replay:t,paused:n,steps:s})=>{let r=s>0&&(e.robots.length>0||e.view.chunks.chunks.size>0);this.element.hidden=t!==null||n||r})}};var Vi=132,Fc=1.6,tS="geometry_msgs/msg/WrenchStamped",MN=30,SN=.05,nS=[2,5,10,20,50,100,500,2e3];function AN([i,e,t,n]){let s=180/Math.PI,r=Math.atan2(2*(i*e+t*n),1-2*(e*e+t*t))*s,o=-Math.asin(Math.max(-1,Math.min(1,2*(i*t-n*e))))*s,a=Math.atan2(2*(i*n+e*t),1-2*(t*t+n*n))*s;return{bank:r,nose:o,heading:(450-a)%360}}function EN(i){return nS.find(e=>i<=e)??nS.at(-1)}var Bp=class{constructor(e,t){this.app=e;this.felt=t;let n=tt("close","close the instruments (M)",()=>this.toggle());this.element.append(X("div",{class:"tools"},X("b",{},"Instruments"),this.words,X("span",{class:"spring"}),n)),this.element.append(X("div",{class:"dials"},this.horizon,this.gauge)),e.events.on("poses",s=>this.take(s)),e.events.on("selected",()=>this.choose()),e.events.on("robots",()=>this.choose()),e.events.on("layers",s=>s==="station"&&this.choose()),this.choose()}app;felt;element=X("div",{class:"station panel",hidden:!0});horizon=X("canvas",{width:2*Vi,height:2*Vi,title:"attitude"});gauge=X("canvas",{width:2*Vi,height:2*Vi,title:"force"});words=X("output",{class:"dim"});force=0;peak=0;weight=[0,0,0];weighed=!1;touches=!1;topic=null;stop=null;toggle(){this.app.layers.station=!this.app.layers.station}get robot(){return this.app.robot(this.app.selected)}choose(){let{robot:e}=this;this.element.hidden=!this.app.layers.station||!e;let t=e?.sensors.flatMap(s=>s.topics).find(s=>s.type===tS)?.topic??null,n=e?t:null;n!==this.topic&&(this.stop?.(),this.topic=n,this.force=this.peak=0,this.weighed=!1,this.stop=n===null?null:this.app.topics.want(n,MN,s=>this.hear($t(tS,s.cdr))))}hear({wrench:{force:e}}){let t=[e.x,e.y,e.z];t.every(Number.isFinite)&&(this.touches||t.forEach((n,s)=>this.weight[s]+=(this.weighed?SN:1)*(n-this.weight[s])),this.weighed||=!this.touches,this.set(Math.hypot(...t.map((n,s)=>n-this.weight[s]))))}set(e){this.force=e,this.peak=Math.max(this.peak*.995,this.force),this.robot&&this.felt(this.robot.name,this.force)}take({header:e,arrays:t}){let{robot:n}=this,{p:s,q:r,impulse:o}=t;if(!n||!s||!r||r.length<4*n.first+4||(this.touches=e.contacts.some(([c])=>c===n.name),this.topic===null&&this.set(this.touching(n,e,o)),this.element.hidden))return;let a=AN([0,1,2,3].map(c=>Number(r[4*n.first+c])));this.drawHorizon(a),this.drawGauge();let l=Number(s[3*n.first+2]).toFixed(2);Dt(this.words,`${n.name} \xB7 ${l} m \xB7 ${a.heading.toFixed(0)}\xB0 \xB7 ${this.force.toFixed(2)} N`)}touching(e,t,n){let s=[0,0,0];return t.contacts.forEach(([r],o)=>{r===e.name&&n&&s.forEach((a,l)=>s[l]+=Number(n[3*o+l]))}),Math.hypot(...s)/((this.app.welcome?.step_ns??1e7)/1e9)}drawHorizon({bank:e,nose:t}){let n=iS(this.horizon),s=Vi/2-4;n.save(),n.beginPath(),n.arc(0,0,s,0,2*Math.PI),n.clip(),n.rotate(-e*Math.PI/180),n.translate(0,t*Fc),n.fillStyle="#3b82c4",n.fillRect(-200,-400,400,400),n.fillStyle="#7a5230",n.fillRect(-200,0,400,400),n.strokeStyle="#fff";for(let r=-80;r<=80;r+=10){let o=r===0?200:r%30===0?22:12;kc(n,-o,-r*Fc,o,-r*Fc,r===0?1.5:.8)}kc(n,0,-s-t*Fc,0,-s+8-t*Fc,2),n.restore(),n.strokeStyle="#ffd23f",kc(n,-30,0,-10,0,3),kc(n,10,0,30,0,3),kc(n,0,-2,0,2,3),n.strokeStyle="#ffffff60",n.beginPath(),n.arc(0,0,s,0,2*Math.PI),n.stroke()}drawGauge(){let e=iS(this.gauge),t=EN(this.peak),n=o=>(.75+1.5*Math.min(o,1))*Math.PI,s=Vi/2-10;P0(e,s,n(0),n(1),"#ffffff25",8),P0(e,s,n(0),n(this.force/t),"#58c4b4",8);let r=n(this.peak/t);P0(e,s,r-.02,r+.02,"#f0b34f",12),e.fillStyle="#e8edf1",e.textAlign="center",e.font="600 22px system-ui",e.fillText(this.force.toFixed(this.force<10?2:1),0,4),e.font="11px system-ui",e.fillStyle="#95a3ae",e.fillText("N",0,20),e.fillText("0",-s*.62,s*.95),e.fillText(`${t}`,s*.62,s*.95)}};function iS(i){let e=i.getContext("2d");return e.setTransform(2,0,0,2,Vi,Vi),e.clearRect(-Vi,-Vi,2*Vi,2*Vi),e}function kc(i,e,t,n,s,r){i.lineWidth=r,i.beginPath(),i.moveTo(e,t),i.lineTo(n,s),i.stroke()}function P0(i,e,t,n,s,r){i.strokeStyle=s,i.lineWidth=r,i.beginPath(),i.arc(0,0,e,t,n),i.stroke()}var sS="volery.tab",zp=class{constructor(e){this.panels=e;this.buttons=e.map((n,s)=>X("button",{type:"button",role:"tab",onclick:()=>this.choose(s)},n.title)),this.row.append(...this.buttons),this.row.addEventListener("keydown",n=>this.move(n)),this.element.append(this.row,this.body);for(let n of e)n.element.hidden=!0,this.body.append(n.element);let t=e.findIndex(n=>n.title===localStorage.getItem(sS));this.choose(Math.max(t,0))}panels;element=X("section",{class:"panel tabs"});row=X("div",{class:"tab-row",role:"tablist"});body=X("div",{class:"tab-body"});buttons;current=-1;seen=!1;setSeen(e){if(e===this.seen)return;this.seen=e;let t=this.panels[this.current];e?t?.show():t?.hide()}open(e){this.choose(this.panels.indexOf(e))}choose(e){if(e===this.current||!this.panels[e])return;let t=this.panels[this.current];t&&(t.element.hidden=!0,this.seen&&t.hide()),this.current=e;let n=this.panels[e];n.element.hidden=!1,localStorage.setItem(sS,n.title),this.buttons.forEach((s,r)=>{s.setAttribute("aria-selected",String(r===e)),s.tabIndex=r===e?0:-1}),this.seen&&n.show()}move(e){let t={ArrowRight:1,ArrowLeft:-1}[e.key];t&&(e.stopPropagation(),this.choose((this.current+t+this.panels.length)%this.panels.length),this.buttons[this.current]?.focus())}};var TN=120,Vp=class{constructor(e,t){this.bar=t;this.play=tt("play","play or pause (P)",()=>t.toggle()),this.element.append(this.play,this.now,this.slide,this.end),this.slide.addEventListener("input",()=>this.drag()),this.slide.addEventListener("change",()=>this.drop()),e.events.on("state",n=>this.update(n))}bar;element=X("footer",{class:"timeline panel",hidden:!0});play;slide=X("input",{type:"range",min:0,max:1,step:.01,value:0,"aria-label":"place in the recording"});now=X("output");end=X("output",{class:"dim"});held=!1;timer=0;update(e){let{replay:t}=e;if(this.element.hidden=t===null,!t)return;eo(this.play,t.paused?"play":"pause");let n=(t.end_ns-t.start_ns)*1e-9;if(this.slide.max=String(n),Dt(this.end,bs(n)),this.held)return;let s=(t.now_ns-t.start_ns)*1e-9;this.slide.value=String(s),Dt(this.now,bs(s))}drag(){this.held=!0,Dt(this.now,bs(Number(this.slide.value))),this.timer||=window.setTimeout(()=>this.seek(),TN)}drop(){this.seek(),this.held=!1}seek(){window.clearTimeout(this.timer),this.timer=0,this.bar.ask("seek",{seconds:Number(this.slide.value)})}};var CN={info:3500,warning:6e3,error:9e3},PN=4,Gp=class{element=X("div",{class:"toasts",role:"status","aria-live":"polite"});constructor(e){e.events.on("notice",({level:t,text:n})=>this.add(n,t))}add(e,t){for(let s of[...this.element.children])s.textContent===e&&s.remove();let n=X("div",{class:`toast ${t}`,onclick:()=>n.remove()},e);for(this.element.append(n);this.element.children.length>PN;)this.element.firstElementChild?.remove();window.setTimeout(()=>n.remove(),CN[t])}};var RN=["0.1","0.25","0.5","1","2","5","10","max"],Hp=class{constructor(e,t){this.app=e;this.title=tt("open","choose a scenario, world, seed and robots (Y)",t.pick),this.title.classList.add("title"),this.title.append(this.name),this.play=tt("play","play or pause (P)",()=>this.toggle()),this.step=tt("step","one step, while paused (.)",()=>this.ask("step",{steps:1})),this.speed=to("speed: factor of real time",RN.map(a=>[a,rS(a)]),"1",a=>this.ask("speed",{value:a==="max"?"max":Number(a)}));let n=tt("reset","back to the beginning of the scenario",()=>this.ask("reset")),s=tt("snapshot","keep the state of the run in a file",()=>this.keep()),r=tt("save","save what stands now as a scenario file",()=>this.save());this.record=tt("record","record all topics to a file",()=>this.toggleRecord()),this.record.classList.add("record"),this.liveOnly=[this.step,n,s,r,this.record];let o=(...a)=>X("div",{class:"group",role:"group"},...a);this.element.append(this.title,o(this.play,this.step,this.speed),o(this.time,this.factor),o(n,s,r,this.record),X("span",{class:"spring"}),this.link,o(tt("left","show or hide the left panel",()=>t.side("left")),tt("right","show or hide the right panel",()=>t.side("right")),tt("help","all keys (H)",t.help))),this.listen()}app;element=X("header",{class:"topbar"});title;name=X("span",{},"Volery");play;step;speed;record;time=X("output",{class:"time",title:"simulated time"},"\u2013");factor=X("output",{class:"factor",title:"simulated seconds per second"});link=X("span",{class:"link",title:"not connected"});liveOnly;fault=null;toggle(){let e=this.app.state,t=e?.replay?e.replay.paused:e?.paused;this.ask(t?"play":"pause")}async ask(e,t={}){try{return await this.app.connection.ask({do:e,...t})}catch(n){return this.app.notice(n.message,"error"),null}}listen(){let{events:e}=this.app;e.on("welcome",t=>{Dt(this.name,t.scenario||"Volery"),this.title.title=`${t.about||t.scenario}; seed ${t.seed}. Choose another (Y)`,document.title=[t.scenario,"Volery"].filter(Boolean).join(" \xB7 ");for(let n of this.liveOnly)n.hidden=t.mode==="replay"}),e.on("state",t=>this.update(t)),e.on("connection",({state:t,text:n})=>{this.link.className=`link ${t}`,this.link.title=n,Dt(this.link,t==="open"?"":n)})}update(e){let t=e.replay?e.replay.paused:e.paused;eo(this.play,t?"play":"pause"),this.step.disabled=!t,Dt(this.time,bs(e.now_ns*1e-9)),Dt(this.factor,t?"paused":`\xD7 ${e.factor.toFixed(2)}`),this.factor.classList.toggle("slow",!t&&typeof e.speed=="number"&&e.factor<.9*e.speed),this.showSpeed(String(e.replay?e.replay.speed:e.speed)),this.record.classList.toggle("on",e.recording!==null),eo(this.record,e.recording===null?"record":"stop"),this.record.title=e.recording===null?"record all topics to a file":`recording ${e.recording}: stop`,this.sayFault(e.recording_fault??null),this.link.dataset.pages=e.pages>1?`${e.pages} pages`:""}sayFault(e){e!==null&&e!==this.fault&&this.app.notice(e,"error"),this.fault=e}showSpeed(e){document.activeElement===this.speed||this.speed.value===e||([...this.speed.options].some(t=>t.value===e)||this.speed.append(X("option",{value:e},rS(e))),this.speed.value=e)}async keep(){let e=await this.ask("snapshot");e?.file&&this.app.notice(`snapshot: ${e.file}`)}async save(){let e=await this.ask("save_scenario");e?.file&&this.app.notice(`scenario: ${e.file}; run it with volery run`)}async toggleRecord(){let e=this.app.state?.recording!==null,t=await this.ask(e?"record_stop":"record");t?.file&&this.app.notice(`${e?"recorded":"recording to"} ${t.file}`)}};function rS(i){return i==="max"?"max":Number.isNaN(Number(i))?i:`${i} \xD7`}var IN=5,Wp=class{constructor(e,t){this.app=e;this.plot=t;let n=tt("close","close",()=>this.open(null)),s=X("div",{class:"tools"},this.name,X("span",{class:"spring"}),n);this.element.append(s,this.stamp,this.lines)}app;plot;element=X("div",{class:"inspector",hidden:!0});name=X("b",{});stamp=X("span",{class:"dim"});lines=X("div",{class:"fields",tabindex:"0"});rows=[];shape="";stop=null;topic=null;get looking(){return this.topic?.topic??null}open(e){this.topic=e,this.element.hidden=e===null,this.rows=[],this.shape="",this.lines.replaceChildren(X("div",{class:"dim"},e&&!km(e.type)?`the page cannot read ${e.type}`:"waiting for a message \u2026")),Dt(this.name,e?.topic??""),Dt(this.stamp,e?.type??""),this.hide(),this.show()}show(){!this.topic||this.stop||!km(this.topic.type)||(this.stop=this.app.topics.want(this.topic.topic,IN,e=>this.take(e)))}hide(){this.stop?.(),this.stop=null}take(e){if(e.topic===this.topic?.topic){Dt(this.stamp,`${e.type} \xB7 ${bs(e.stamp_ns*1e-9)} \xB7 ${cd(e.cdr.length)}`);try{this.draw(Nb($t(e.type,e.cdr)))}catch(t){this.lines.replaceChildren(X("div",{class:"warning"},t.message)),this.shape=""}}}draw(e){let t=e.map(n=>n.path).join();t!==this.shape&&(this.shape=t,this.rows=e.map(n=>this.row(n)),this.lines.replaceChildren(...this.rows.map(({row:n})=>n))),e.forEach((n,s)=>Dt(this.rows[s].value,n.text))}row(e){let t=X("span",{class:"value"}),{topic:n,type:s}=this.topic,r=e.numeric&&tt("plus",`plot ${e.path}`,()=>this.plot(n,s,e.path)),o=X("span",{class:"label",style:`padding-left:${e.depth*12}px`},e.label);return{row:X("div",{class:"field"},o,t,r||X("span")),value:t}}};var oS=[["topic","name and type"],["from \u2192 to","publisher and subscribers"],["Hz","messages a second"],["count","messages so far"],["/s","bytes a second"]],qp=class{constructor(e,t){this.app=e;this.inspector=new Wp(e,t);let n=X("tr",{},...oS.map(([r,o])=>X("th",{title:o},r))),s=X("table",{},X("thead",{},n),this.body);this.element.append(X("div",{class:"tools"},this.filter),X("div",{class:"scroll"},s),this.inspector.element)}app;title="Topics";element=X("div",{class:"topics"});inspector;body=X("tbody");rows=new Map;filter=X("input",{type:"search",placeholder:"find a topic","aria-label":"find a topic",oninput:()=>this.sift()});stop=[];show(){this.stop=[this.app.topics.wantTable(),this.app.events.on("topics",e=>this.take(e))],this.inspector.show()}hide(){for(let e of this.stop)e();this.stop=[],this.inspector.hide()}take(e){let t=new Set(e.map(n=>n.topic));for(let[n,{element:s}]of this.rows)t.has(n)||(s.remove(),this.rows.delete(n));for(let n of[...e].sort((s,r)=>s.topic.localeCompare(r.topic)))this.put(n);this.sift()}put(e){let t=this.rows.get(e.topic)??this.add(e),[,n,s,r,o]=t.cells;Dt(n,`${e.publishers.join(", ")||"\u2013"} \u2192 ${e.subscribers.join(", ")||"\u2013"}`),n.title=n.textContent??"",Dt(s,e.rate===null||!e.subscribers.length?"\u2013":e.rate.toFixed(1)),Dt(r,e.count===null?"\u2013":String(e.count)),Dt(o,e.bytes_per_second===null?"\u2013":cd(e.bytes_per_second))}add(e){let t=()=>this.choose(e),s=[X("td",{title:`${e.topic}
${e.message_type}`},X("b",{},e.topic),X("i",{},e.message_type.replace("/msg/","/"))),...oS.slice(1).map(()=>X("td"))],r=X("tr",{tabindex:"0",onclick:t},...s);r.addEventListener("keydown",l=>{l.key==="Enter"&&t()});let o={element:r,cells:s};this.rows.set(e.topic,o);let a=[...this.rows].find(([l,{element:c}])=>c.parentNode&&l.localeCompare(e.topic)>0);return this.body.insertBefore(r,a?.[1].element??null),o}choose(e){let t=this.inspector.looking===e.topic;this.inspector.open(t?null:{topic:e.topic,type:e.message_type});for(let[n,{element:s}]of this.rows)s.classList.toggle("chosen",!t&&n===e.topic)}sift(){let e=this.filter.value.toLowerCase();for(let[t,{element:n}]of this.rows)n.hidden=!t.toLowerCase().includes(e)}};var R0="(max-width: 700px) and (orientation: portrait)",Xp=class{constructor(e,t){this.app=e;this.root=t;this.picker=new Zd(e),this.bar=new Hp(e,{pick:()=>this.picker.open(),help:()=>this.help.toggle(),side:a=>this.toggleSide(a)}),this.plots=new mp(e),this.left=new Yd(e,(a,l,c)=>this.plots.add(a,l,c)),this.pictures=new bd(e,()=>this.left.markViews()),this.left.attach(this.pictures),this.control=new qd(e),this.left.setControl(this.control.take),this.station=new Bp(e,(a,l)=>this.control.feelTool(a,l));let{plots:n}=this,s=new qp(e,(a,l,c)=>n.add(a,l,c));this.tabs=new zp([new Up(e),s,n,new jd(e),new Jd(e)]);let r=new Vp(e,this.bar),o=X("div",{class:"middle"},this.control.note,new Gp(e).element,this.station.element,this.pictures.element,r.element);t.append(this.bar.element,this.left.element,o,this.tabs.element,new Op(e).element,this.lost,this.help.element,this.picker.element),this.listen(),this.update()}app;root;control;bar;left;plots;tabs;pictures;station;help=new Xd;picker;lost=X("div",{class:"lost panel",role:"alert",hidden:!0});sides={left:!matchMedia(R0).matches,right:!matchMedia(R0).matches};hidden=!1;listen(){window.addEventListener("keydown",e=>this.press(e)),this.root.addEventListener("click",e=>{e.detail>0&&e.target.closest("button, summary")?.blur()}),window.addEventListener("resize",()=>this.update()),document.addEventListener("visibilitychange",()=>this.update()),this.app.events.on("connection",({state:e,text:t,retryAt:n})=>{this.lost.hidden=e==="open"||e==="connecting";let s=n===null?"":` Trying again in ${Math.max(1,Math.round((n-Date.now())/1e3))} s.`;Dt(this.lost,`${t}.${s}`)}),this.lost.addEventListener("click",()=>this.app.connection.retry())}press(e){if(e.ctrlKey||e.metaKey||e.altKey)return;let t=!!e.target?.closest?.("#ui");if(e.key==="Tab"){if(t)return;this.hidden=!this.hidden,this.update()}else if(e.key==="Escape"){document.querySelector("dialog[open]")||document.activeElement?.blur();return}else{if(hd(e))return;if(!this.pressLetter(e))return}e.preventDefault()}pressLetter(e){if(e.key==="h"||e.key==="H"||e.key==="?")this.help.toggle();else if(e.code==="KeyP")this.bar.toggle();else if(e.key===".")this.bar.ask("step",{steps:1});else if(e.code==="KeyN")this.nextRobot(e.shiftKey?-1:1);else if(e.key==="y"||e.key==="Y")this.picker.open();else if(e.code==="KeyM")this.station.toggle();else return!1;return!0}nextRobot(e){let t=this.app.robots.filter(s=>!s.movable).map(s=>s.name);if(!t.length)return;let n=t.indexOf(this.app.selected??"");this.app.selected=t[(n+e+t.length)%t.length]??null}toggleSide(e){this.sides[e]=!this.sides[e],matchMedia(R0).matches&&this.sides[e]&&(this.sides[e==="left"?"right":"left"]=!1),this.hidden=!1,this.update()}update(){let e=!this.hidden&&!document.hidden;this.root.classList.toggle("bare",this.hidden),this.left.element.hidden=this.hidden||!this.sides.left,this.tabs.element.hidden=this.hidden||!this.sides.right,this.tabs.setSeen(e&&this.sides.right),this.pictures.setSeen(!document.hidden),this.root.classList.toggle("no-left",this.left.element.hidden),this.root.classList.toggle("no-right",this.tabs.element.hidden)}};var LN=1.6,DN=1.6,NN=.6,FN=10,kN=12,UN=.16;function aS(i,e){let t=i.clone();t.fov=Math.min(170,i.fov+2*UN*180/Math.PI),t.aspect=i.aspect*1.1,t.updateProjectionMatrix(),t.updateMatrixWorld(!0),I0(new He().multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),e)}function I0(i,e){let t=new Vs().setFromProjectionMatrix(i),n=new xt;for(let s=0;s<4;s++){let{normal:r,constant:o}=t.planes[s];n.set(r.x,r.y,r.z,o).toArray(e,4*s)}}function lS(i,e,t,n,s){for(let r=0;r<16;r+=4)if(i[r]*e+i[r+1]*t+i[r+2]*n+i[r+3]<-s)return!0;return!1}function ON(i,e,t,n,s,r,o,a){i[e]=t[n]*s,i[e+1]=t[n+4]*s,i[e+2]=t[n+8]*s,i[e+3]=0,i[e+4]=t[n+1]*s,i[e+5]=t[n+5]*s,i[e+6]=t[n+9]*s,i[e+7]=0,i[e+8]=t[n+2]*s,i[e+9]=t[n+6]*s,i[e+10]=t[n+10]*s,i[e+11]=0,i[e+12]=t[n+3]+r,i[e+13]=t[n+7]+o,i[e+14]=t[n+11]+a,i[e+15]=1}function L0(i,e,t,n){for(let r of i.kinds.values())for(let o of r.levels)o?.reset(n);let s=0;for(let r of i.chunks.values())lS(t,r.x,r.y,r.z,r.radius)||(s+=BN(r,e,t,n));for(let r of i.kinds.values())for(let o of r.levels)o?.passes[n]?.show();return s}function BN(i,e,t,n){let{X:s,spheres:r,kinds:o,dx:a,dy:l,dz:c}=i,h=LN/Math.sqrt(e.detail)*(n===Mr?1:1.3),u=NN*e.detail*(n===Mr?1:.3),d=0;for(let p=0,f=0;p<o.length;p++,f+=4){let y=o[p];if(!y.ready)continue;let m=r[f]+a,g=r[f+1]+l,b=r[f+2]+c,C=r[f+3],S=Math.hypot(m-e.x,g-e.y,b-e.z),R=e.focal*C*y.slim/Math.max(S-.5*C,.5);if(R<h||lS(t,m,g,b,C))continue;let E=n===Mr&&S<FN+.7*C,_=Math.max(u*R*R,E?y.nearTriangles:0),A=y.levels[y.levelFor(_)];if(A.pieces.triangles>kN*_+200)continue;let B=Math.min(1,(R-h)/(DN*h-h)),N=A.drawn(n),I=N.next();ON(N.array,I,s,12*p,B,a,l,c),d+=A.pieces.triangles}return d}var Yp=class{parts=new Map;waiting=[];add(e,t=null){for(let n=0;n<e.kinds.length;n++){let s=e.kinds[n];(t===null||s===t)&&s.radius>8&&zN(s)&&this.waiting.push({chunk:e,i:n})}}remove(e){this.parts.delete(e);for(let t=this.waiting.length-1;t>=0;t--)this.waiting[t].chunk.key===e&&this.waiting.splice(t,1)}pump(){let e=this.waiting.shift(),t=e?.chunk.kinds[e.i].finest?.pieces;if(!e||!t||!t.solid||t.index.length/3>2e5)return;let n=VN(e.chunk,e.i,t.corners,t.index),{key:s}=e.chunk,r=this.parts.get(s)??new Map;this.parts.set(s,r.set(e.i,n))}cast(e,t,n){let s=n;for(let r of this.parts.values())for(let o of r.values())s=HN(o,e,t,s);return s}},zN=i=>i.uses<=1||i.radius>25;function VN(i,e,t,n){let s=GN(t,i.X,12*e),[r,o,a,l]=[1/0,1/0,-1/0,-1/0];for(let m=0;m<s.length;m+=3)r=Math.min(r,s[m]),a=Math.max(a,s[m]),o=Math.min(o,s[m+1]),l=Math.max(l,s[m+1]);let c=Math.max(1,Math.ceil((a-r)/2)),h=Math.max(1,Math.ceil((l-o)/2)),u=new Uint32Array(c*h+1),d=(m,g)=>{let[b,C,S]=[3*n[3*m],3*n[3*m+1],3*n[3*m+2]],R=(N,I)=>Math.max(0,Math.min(I-1,Math.floor(N/2))),E=R(Math.min(s[b],s[C],s[S])-r,c),_=R(Math.max(s[b],s[C],s[S])-r,c),A=R(Math.min(s[b+1],s[C+1],s[S+1])-o,h),B=R(Math.max(s[b+1],s[C+1],s[S+1])-o,h);for(let N=E;N<=_;N++)for(let I=A;I<=B;I++)g(N*h+I)},p=n.length/3;for(let m=0;m<p;m++)d(m,g=>u[g+1]+=1);for(let m=0;m<c*h;m++)u[m+1]+=u[m];let f=new Uint32Array(u[c*h]),y=u.slice();for(let m=0;m<p;m++)d(m,g=>f[y[g]++]=m);return{origin:i.origin,corners:s,index:n,x0:r,y0:o,nx:c,ny:h,start:u,list:f}}function GN(i,e,t){let n=new Float32Array(i.length);for(let s=0;s<i.length;s+=3)for(let r=0;r<3;r++)n[s+r]=e[t+4*r]*i[s]+e[t+4*r+1]*i[s+1]+e[t+4*r+2]*i[s+2]+e[t+4*r+3];return n}function HN(i,e,t,n){let s=[e[0]-i.origin[0],e[1]-i.origin[1],e[2]-i.origin[2]],r=n,o=new Set,a=Math.ceil(n*Math.hypot(t[0],t[1])/(2/2))+1;for(let l=0;l<=a;l++){let c=n*l/a,h=Math.floor((s[0]+t[0]*c-i.x0)/2),u=Math.floor((s[1]+t[1]*c-i.y0)/2);if(!(h<0||u<0||h>=i.nx||u>=i.ny||o.has(h*i.ny+u))){o.add(h*i.ny+u);for(let d=i.start[h*i.ny+u];d<i.start[h*i.ny+u+1];d++)r=Math.min(r,WN(i,i.list[d],s,t,r))}}return r}function WN(i,e,t,n,s){let{corners:r,index:o}=i,[a,l,c]=[3*o[3*e],3*o[3*e+1],3*o[3*e+2]],h=[r[l]-r[a],r[l+1]-r[a+1],r[l+2]-r[a+2]],u=[r[c]-r[a],r[c+1]-r[a+1],r[c+2]-r[a+2]],d=cS(n,u),p=$p(h,d);if(Math.abs(p)<1e-12)return s;let f=[t[0]-r[a],t[1]-r[a+1],t[2]-r[a+2]],y=$p(f,d)/p,m=cS(f,h),g=$p(n,m)/p;if(y<0||g<0||y+g>1)return s;let b=$p(u,m)/p;return b>1e-4&&b<s?b:s}var $p=(i,e)=>i[0]*e[0]+i[1]*e[1]+i[2]*e[2],cS=(i,e)=>[i[1]*e[2]-i[2]*e[1],i[2]*e[0]-i[0]*e[2],i[0]*e[1]-i[1]*e[0]];var qN=1;function XN(i){let{centre:e,half:t}=i.header,n=i.arrays.position,r=(typeof t=="number"?[t,t,t]:t).map(a=>a/32767),o=new Float32Array(n.length);for(let a=0;a<n.length;a+=3)o[a]=e[0]+n[a]*r[0],o[a+1]=e[1]+n[a+1]*r[1],o[a+2]=e[2]+n[a+2]*r[2];return o}function $N(i){let e=new Int8Array(i.length/3*4);for(let t=0,n=0;t<i.length;t+=3,n+=4)e[n]=i[t],e[n+1]=i[t+1],e[n+2]=i[t+2];return e}function YN(i,e,t,n){let s=t.first+t.count;for(let r=t.first;r<s;r++)i[4*e[r]+3]=n}function KN(i,e){let t=new i.constructor(e.reduce((s,r)=>s+r.count,0)),n=0;for(let s of e)t.set(i.subarray(s.first,s.first+s.count),n),n+=s.count;return t}function jN(i,e,t,n){let s=[0,0,0],r=[0,0,0],[o,a,l]=[new F,new F,new F];for(let c=n.first;c<n.first+n.count;c+=3){o.fromArray(i,3*t[c]),a.fromArray(i,3*t[c+1]),l.fromArray(i,3*t[c+2]);for(let u=0;u<3;u++)s[u]+=(o.getComponent(u)+a.getComponent(u)+l.getComponent(u))/n.count;let h=a.sub(o).cross(l.sub(o)).length()/2;for(let u=0;u<3;u++){let d=(e[4*t[c]+u]/255)**2.2;r[u]+=(n.emission??8)*d*h/Math.PI/2.5}}return{place:s,light:r}}var JN=({bones:i,weights:e,X_BR_bind:t})=>i?{bones:i,weights:e,X_BR_bind:t}:null;function hS(i,e){let{header:t,arrays:n}=i,s=n.index,r=n.colour.slice(),o=XN(i);for(let f of t.primitives)YN(r,s,f,e.row(f));let a={position:new ot(o,3),normal:new ot($N(n.normal),4,!0),tint:new ot(r,4,!0)},[l,c]=t.bounds.map(f=>new F(...f)),h=new pi(l.clone().add(c).multiplyScalar(.5),l.distanceTo(c)/2),u=f=>{if(!f.length)return null;let y=new ht;for(let[m,g]of Object.entries(a))y.setAttribute(m,g);return y.setIndex(new ot(KN(s,f),1)),y.boundingSphere=h,y},d=t.primitives.filter(f=>f.surface==="clear"),p=t.primitives.filter(f=>f.surface==="lamp"&&(f.emission??8)>=qN);return{solid:u(t.primitives.filter(f=>f.surface!=="clear")),clear:u(d),triangles:s.length/3,bytes:20*(o.length/3)+s.byteLength,bounds:t.bounds,lamps:p.map(f=>jN(o,r,s,f)),skin:JN(n),corners:o,index:s}}var ZN=4,QN=.2,eF=75e4,Kp=class{constructor(e,t,n){this.app=e;this.matter=t;this.materials=n;let{events:s}=e;s.on("mesh",r=>this.queue.push(r)),s.on("chunk",r=>this.queue.push(r)),s.on("gone",r=>this.forget(r)),s.on("world",()=>this.clear()),s.on("origin",()=>this.chunks.forEach(r=>this.place(r)))}app;matter;materials;chunks=new Map;kinds=new Map;ground=new Yp;version=0;queue=[];warmer=new D0;mesh(e){return this.kinds.get(e)?.levels[0]?.pieces??null}get waiting(){return this.queue.length}pump(e){let t=Math.max(ZN,1e3*QN*e),n=performance.now()+t,s=0,r=0;for(;r<this.queue.length&&s<eF*t&&performance.now()<n;){let o=this.queue[r++];o.header.kind==="mesh"?s+=this.takeMesh(o):this.takeChunk(o)}r&&(this.queue.splice(0,r),this.version+=1)}*lamps(){for(let e of this.chunks.values())for(let t=0;t<e.kinds.length;t++){let n=e.kinds[t].finest?.pieces.lamps??[];for(let s of n)yield{place:nF(e,12*t,s.place),light:s.light}}}takeMesh(e){let{header:t}=e,n=this.kindOf(t.of),s=!n.ready,r=hS(e,this.matter);return n.put(t.level,new Ld(this.app.scene,r,this.materials)),n.uses>0&&this.chunks.forEach(o=>this.improve(o,n,s)),r.solid&&this.warmer.warm(this.app,r.solid),r.bytes}takeChunk(e){let{header:t,arrays:n}=e,s=t.key.join(",");this.drop(s);let r=n.kind,o=Array.from(r,l=>this.kindOf(t.meshes[l])),a={key:s,origin:t.origin,kinds:o,X:n.X,spheres:new Float32Array(4*r.length),dx:0,dy:0,dz:0,x:0,y:0,z:0,radius:0};this.chunks.set(s,a),o.forEach(l=>l.uses+=1),this.measure(a),this.ground.add(a)}improve(e,t,n){e.kinds.includes(t)&&(n&&this.measure(e),this.ground.add(e,t))}kindOf(e){let t=this.kinds.get(e);return t||this.kinds.set(e,t=new Dd(e)),t}measure(e){let{X:t,spheres:n,kinds:s}=e,r=[1/0,1/0,1/0],o=[-1/0,-1/0,-1/0];for(let a=0;a<s.length;a++){let l=12*a,c=Math.cbrt(Math.abs(tF(t,l))),h=s[a].radius*c,u=uS(t,l,s[a].middle);n[4*a+3]=h;for(let d=0;d<3;d++)n[4*a+d]=u[d],r[d]=Math.min(r[d],u[d]-h),o[d]=Math.max(o[d],u[d]+h)}e.radius=Math.hypot(o[0]-r[0],o[1]-r[1],o[2]-r[2])/2,e.x=(r[0]+o[0])/2+e.dx,e.y=(r[1]+o[1])/2+e.dy,e.z=(r[2]+o[2])/2+e.dz,this.place(e)}place(e){let[t,n,s]=[e.x-e.dx,e.y-e.dy,e.z-e.dz];e.dx=e.origin[0]-this.app.origin[0],e.dy=e.origin[1]-this.app.origin[1],e.dz=e.origin[2]-this.app.origin[2],e.x=t+e.dx,e.y=n+e.dy,e.z=s+e.dz,this.version+=1}drop(e){let t=this.chunks.get(e);if(t){this.chunks.delete(e),this.ground.remove(e);for(let n of t.kinds)n.uses-=1;this.version+=1}}forget(e){let t=new Set(e.keys.map(r=>r.join(","))),n=new Set(e.meshes??[]);for(let r of t)this.drop(r);for(let r of n)this.kinds.get(r)?.dispose(),this.kinds.delete(r);let s=this.queue.filter(({header:r})=>r.kind==="chunk"?!t.has(r.key.join(",")):!n.has(r.of));this.queue.splice(0,this.queue.length,...s)}clear(){this.queue.length=0;for(let e of[...this.chunks.keys()])this.drop(e);for(let e of this.kinds.values())e.dispose();this.kinds.clear()}},tF=(i,e)=>i[e]*(i[e+5]*i[e+10]-i[e+6]*i[e+9])-i[e+1]*(i[e+4]*i[e+10]-i[e+6]*i[e+8])+i[e+2]*(i[e+4]*i[e+9]-i[e+5]*i[e+8]),uS=(i,e,t)=>[i[e]*t[0]+i[e+1]*t[1]+i[e+2]*t[2]+i[e+3],i[e+4]*t[0]+i[e+5]*t[1]+i[e+6]*t[2]+i[e+7],i[e+8]*t[0]+i[e+9]*t[1]+i[e+10]*t[2]+i[e+11]],nF=(i,e,t)=>{let[n,s,r]=uS(i.X,e,t);return[n+i.dx,s+i.dy,r+i.dz]},D0=class{target=new Xn(1,1);scene=new Vr;camera=new qn;material=new fi({colorWrite:!1});warm(e,t){let n=new qt(t,this.material);n.frustumCulled=!1,this.scene.add(n),t.setDrawRange(0,3);let s=e.renderer.getRenderTarget();e.renderer.setRenderTarget(this.target),e.renderer.render(this.scene,this.camera),e.renderer.setRenderTarget(s),t.setDrawRange(0,1/0),this.scene.remove(n)}};var jp=class{constructor(e,t){this.app=e;this.uniforms=t;let n=document.createElement("canvas");n.width=32,n.height=18,this.context=n.getContext("2d",{willReadFrequently:!0,alpha:!1}),e.events.on("world",()=>this.wanted=this.current=e.world?.dark?3:1.2)}app;uniforms;stops=0;context;wanted=1.2;at=0;current=1.2;update(e){this.current*=(this.wanted/this.current)**Math.min(1,2.5*e),this.uniforms.exposure.value=this.current*2**this.stops}measure(e){if(e-this.at<400)return;this.at=e,this.context.drawImage(this.app.canvas,0,0,32,18);let{data:t}=this.context.getImageData(0,0,32,18),n=0;for(let o=0;o<t.length;o+=4){let a=(.25*t[o]+.6*t[o+1]+.15*t[o+2])/255;n+=Math.log(dS(a)+.001)}let s=Math.exp(n/576)/2**this.stops,r=this.current*(dS(.31)/s)**.7;this.wanted=Math.max(1.15,Math.min(40,r))}};function dS(i){let e=Math.min(i,.98)**2.2,[t,n,s]=[2.51-2.43*e,.03-.59*e,-.14*e];return(-n+Math.sqrt(n*n-4*t*s))/(2*t)}var $n=64,iF=[2,4,8,16,32],sF=.76,Zp=2.5,Uc=1.5;function N0(i){let e=i>>>0;return()=>{e=e+1831565813>>>0;let t=Math.imul(e^e>>>15,1|e);return t=t+Math.imul(t^t>>>7,61|t)^t,((t^t>>>14)>>>0)/4294967296}}function rF(i){let e=new Uint8Array($n),t=new Uint8Array($n),n=new Float32Array($n);for(let s=0;s<$n;s++){let r=s*i/$n,o=r-Math.floor(r);e[s]=Math.floor(r),t[s]=(e[s]+1)%i,n[s]=o*o*o*(o*(6*o-15)+10)}return{low:e,high:t,part:n}}function oF(i,e,t,n){let s=Float32Array.from({length:e**3},()=>(2*n()-1)*t),{low:r,high:o,part:a}=rF(e),l=0;for(let c=0;c<$n;c++){let h=r[c]*e*e,u=o[c]*e*e;for(let d=0;d<$n;d++){let[p,f,y,m]=[h+r[d]*e,h+o[d]*e,u+r[d]*e,u+o[d]*e];for(let g=0;g<$n;g++){let b=a[g],C=s[p+r[g]]+(s[p+o[g]]-s[p+r[g]])*b,S=s[f+r[g]]+(s[f+o[g]]-s[f+r[g]])*b,R=s[y+r[g]]+(s[y+o[g]]-s[y+r[g]])*b,E=s[m+r[g]]+(s[m+o[g]]-s[m+r[g]])*b,_=C+(S-C)*a[d],A=R+(E-R)*a[d];i[l++]+=_+(A-_)*a[c]}}}}function aF(){let i=N0(1),e=new Float32Array($n**3);iF.forEach((o,a)=>oF(e,o,sF**a,i));let t=0,n=0;for(let o of e)t+=o,n+=o*o;let s=t/e.length,r=Math.sqrt(n/e.length-s*s);return e.map(o=>(o-s)/r)}var Jp=(i,e)=>Math.max(0,Math.min(255,Math.round(i/e*127.5+127.5)));function pS(){let i=aF(),e=new Uint8Array(4*i.length),t=(r,o,a)=>i[((a&63)*$n+(o&63))*$n+(r&63)],n=0;for(let r=0;r<$n;r++)for(let o=0;o<$n;o++)for(let a=0;a<$n;a++)e[n++]=Jp(t(a,o,r),Zp),e[n++]=Jp((t(a+1,o,r)-t(a-1,o,r))/2,Uc),e[n++]=Jp((t(a,o+1,r)-t(a,o-1,r))/2,Uc),e[n++]=Jp((t(a,o,r+1)-t(a,o,r-1))/2,Uc);let s=new ta(e,$n,$n,$n);return s.format=Jn,s.type=li,s.wrapS=s.wrapT=s.wrapR=Zo,s.minFilter=Zi,s.magFilter=vn,s.generateMipmaps=!0,s.unpackAlignment=4,s.needsUpdate=!0,s}var Dr=8,tr=4,Ha=`
uniform sampler2D matters;
uniform sampler3D grain;
uniform sampler2DShadow shade;
uniform mat4 shadeMatrix[4];
uniform vec4 shadeBias;
uniform float sunShadows;
uniform float skyShadows;
uniform vec3 sunWay;
uniform vec3 sunLight;
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 cave;
uniform float extinction;
uniform float cloudCover;
uniform float reach;
uniform float exposure;
uniform float cameraLamp;
uniform vec4 focus;
uniform float seconds;
uniform vec3 wind;
uniform vec4 lampPlace[${Dr}];
uniform vec3 lampLight[${Dr}];
uniform vec4 spotPlace[${tr}];
uniform vec3 spotAhead[${tr}];
uniform vec3 spotLight[${tr}];
`,Oc=`
vec4 noise(vec3 p) {
  vec4 v = texture(grain, p / 64.0) * 2.0 - 1.0;
  return v * vec4(${Zp.toFixed(1)}, vec3(${Uc.toFixed(1)}));
}
float noiseAt(vec3 p) {
  return (textureLod(grain, p / 64.0, 0.0).r * 2.0 - 1.0) * ${Zp.toFixed(1)};
}
`,Bc=`
float glow(float near) {
  near = max(near, 0.0);
  near *= near;
  near *= near;
  float wide = 0.05 * near;
  near *= near;
  return wide + 0.1 * near * near;
}

vec3 skyPlain(vec3 way) {
  return mix(horizon, zenith, sqrt(clamp(way.z, 0.0, 1.0)));
}

vec3 skySeen(vec3 way, float disc) {
  vec3 clear = skyPlain(way);
  float near = dot(way, sunWay);
  float narrow = 0.0;
  if (near > 0.98) {
    float sharp = pow(near, 256.0);
    narrow = 0.42 * sharp + disc * smoothstep(0.9971, 0.9976, sharp);
  }
  float veil = 0.0;
  if (way.z > 0.02) {
    float s = 14.0 / (way.z + 0.12);
    vec2 drift = wind.xy * seconds * 0.004;
    float c = 0.7 * noiseAt(vec3(way.xy * s + 7.0 + drift, 11.5 + seconds * 0.004));
    c += 0.3 * noiseAt(vec3(way.xy * s * 3.7 + drift * 2.0, 40.5));
    veil = 0.55 * clamp(0.8 * c - 0.15, 0.0, 1.0) * min(way.z * 4.0, 1.0);
  }
  vec3 more = veil * (0.25 * sunLight + 0.75 * horizon - clear);
  more += (glow(near) + narrow) * sunLight * (1.0 - 0.7 * veil);
  return clear + (1.0 - cloudCover) * more;
}

vec3 develop(vec3 light) {
  vec3 x = light * exposure;
  vec3 y = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
  return pow(y, vec3(1.0 / 2.2));
}
`,F0=`
float tileFree(vec3 q, vec2 tile, vec2 shift) {
  vec2 at = clamp(q.xy + shift, 0.003, 0.997);
  return textureLod(shade, vec3(0.5 * at + tile, q.z), 0.0);
}

float sunFree(vec3 place, vec3 normal) {
  if (sunShadows < 0.5) return 1.0;
  for (int i = 0; i < 3; i++) {
    vec3 q = (shadeMatrix[i] * vec4(place + normal * shadeBias[i], 1.0)).xyz;
    vec2 edge = abs(q.xy - 0.5);
    float rim = max(edge.x, edge.y);
    if (rim > 0.495 || q.z > 1.0) continue;
    vec2 tile = vec2(i == 1 ? 0.5 : 0.0, i == 2 ? 0.5 : 0.0);
    float wide = 0.7 / SHADE_TILE;
    float sum = tileFree(q, tile, vec2(-0.4, -1.0) * wide) + tileFree(q, tile, vec2(1.0, -0.4) * wide)
      + tileFree(q, tile, vec2(0.4, 1.0) * wide) + tileFree(q, tile, vec2(-1.0, 0.4) * wide);
    return i == 2 ? mix(0.25 * sum, 1.0, smoothstep(0.42, 0.495, rim)) : 0.25 * sum;
  }
  return 1.0;
}

float skyTap(vec3 place, vec2 to, float rise) {
  vec3 q = (shadeMatrix[3] * vec4(place + vec3(to, rise), 1.0)).xyz;
  return tileFree(q, vec2(0.5), vec2(0.0));
}

float skyFree(vec3 place, vec3 normal) {
  if (skyShadows < 0.5) return 1.0;
  vec3 from = place + normal * 0.15 + vec3(0.0, 0.0, 0.2);
  vec3 q = (shadeMatrix[3] * vec4(from, 1.0)).xyz;
  vec2 edge = abs(q.xy - 0.5);
  float rim = max(edge.x, edge.y);
  if (rim > 0.495 || q.z > 1.0) return 1.0;
  float sum = skyTap(from, vec2(0.9, 0.5), 1.0) + skyTap(from, vec2(-0.9, 0.5), 1.0) + skyTap(from, vec2(0.0, -1.0), 1.0);
#if SKY_TAPS > 3
  sum += skyTap(from, vec2(3.0, 0.0), 2.6) + skyTap(from, vec2(0.0, 3.0), 2.6)
    + skyTap(from, vec2(-3.0, 0.0), 2.6) + skyTap(from, vec2(0.0, -3.0), 2.6) + skyTap(from, vec2(0.0), 0.2);
  sum *= 0.125;
#else
  sum /= 3.0;
#endif
  return mix(sum, 1.0, smoothstep(0.4, 0.495, rim));
}
`,k0=`
const float NEIGHBOURS = 0.2;

vec2 openSky(float up) {
  float z = 0.3051 + up * (0.4 + 0.0949 * up);
  return vec2(0.5 * (1.0 + up) - z, z);
}

float shine(float gloss, vec3 normal, vec3 half_) {
  float near = max(dot(normal, normalize(half_)), 0.0);
  return 0.8 * gloss * gloss * pow(near, exp2(3.0 + floor(4.0 * gloss)));
}

vec3 lampsOn(vec3 place, vec3 normal, float thin) {
  vec3 sum = vec3(0.0);
  for (int i = 0; i < ${Dr}; i++) {
    if (lampPlace[i].w <= 0.0) break;
    vec3 to = lampPlace[i].xyz - place;
    float square = dot(to, to);
    float facing = dot(normal, to) * inversesqrt(square);
    float share = 0.2 / (square + 9.0) + max(max(facing, -thin * facing), 0.0) / max(square, 0.1);
    sum += lampLight[i] * share * lampPlace[i].w;
  }
  for (int i = 0; i < ${tr}; i++) {
    if (spotPlace[i].w > 1.5) break;
    vec3 to = place - spotPlace[i].xyz;
    float square = dot(to, to);
    float away = sqrt(square);
    float rim = dot(to, spotAhead[i]) / away - spotPlace[i].w;
    float facing = -dot(normal, to) / away;
    facing = max(facing, -thin * facing);
    if (rim <= 0.0 || facing <= 0.0) continue;
    sum += spotLight[i] * min(rim / ((1.0 - spotPlace[i].w) * 0.2), 1.0) * facing / max(square, 0.01);
  }
  return sum;
}

struct Seen { float sun; float part; float near; };

Seen seenFrom(vec3 place, vec3 normal, float facing, float thin) {
  float part = skyFree(place, normal);
  float sun = facing > 0.0 || thin > 0.0 ? sunFree(place, facing > 0.0 ? normal : -normal) : 0.0;
  return Seen(sun, part, sqrt(max(part, 0.03)));
}

/** Light on a surface that sends back all of it. */
vec3 lightOn(Seen seen, vec3 place, vec3 normal, float thin, float toward, float away) {
  float facing = dot(normal, sunWay);
  float direct = seen.sun * (max(facing, 0.0) + thin * max(-facing, 0.0));
  vec2 front = openSky(normal.z);
  vec2 back = openSky(-normal.z);
  vec2 whole = openSky(1.0);
  float other = NEIGHBOURS * seen.near
    * (1.0 + thin - (0.5 * (1.0 + normal.z) + thin * 0.5 * (1.0 - normal.z)) * seen.part);
  vec2 sky = seen.part * (front + thin * back) + other * whole;
  vec3 sum = (direct + other * max(sunWay.z, 0.0)) * sunLight + sky.x * horizon + sky.y * zenith + cave;
  sum += cameraLamp * toward / max(away * away, 0.3);
  return sum + lampsOn(place, normal, thin);
}

/** What leaves a surface, after the air before it. */
vec3 throughAir(vec3 sent, vec3 way, float away, float near, vec3 eye) {
  float keep = exp(-extinction * away);
  float mist = (1.0 - keep) * near;
  vec3 seen = sent * keep + mist * (horizon + glow(dot(way, sunWay)) * sunLight);
  return mix(seen, skyPlain(vec3(way.xy, max(way.z, 0.0))), smoothstep(0.72, 0.98, away / reach));
}
`;var fS=90,lF=3,cF=.0015,Qp=class{constructor(e,t){this.app=e;let n=(s,r)=>Array.from({length:s},r);this.uniforms={matters:{value:t.texture},grain:{value:pS()},sunWay:{value:this.sunWay},sunLight:{value:new F(.9,.87,.8)},zenith:{value:new F(.08,.15,.3)},horizon:{value:new F(.35,.4,.45)},cave:{value:new F},extinction:{value:1/2500},cloudCover:{value:0},reach:{value:1e9},exposure:{value:1},cameraLamp:{value:0},focus:{value:new xt},seconds:{value:0},wind:{value:new F},lampPlace:{value:n(Dr,()=>new xt)},lampLight:{value:n(Dr,()=>new F)},spotPlace:{value:n(tr,()=>new xt(0,0,0,2))},spotAhead:{value:n(tr,()=>new F(1,0,0))},spotLight:{value:n(tr,()=>new F)}},e.events.on("sky",s=>this.takeSky(s)),e.events.on("world",()=>this.app.sky&&this.takeSky(this.app.sky)),e.events.on("poses",s=>this.takeSpots(s))}app;uniforms;sunWay=new F(.3,-.4,.87).normalize();lamp=null;lampsVersion=-1;lampsAt=new F(1/0,0,0);get dark(){return this.app.world?.dark??!1}get shining(){return!this.dark&&this.uniforms.sunLight.value.y>1e-4}update(e,t){this.uniforms.seconds.value+=e;let n=this.uniforms.sunLight.value.y<.01,s=this.lamp??(this.dark||n);this.uniforms.cameraLamp.value=s?lF*(this.dark?.25:n?.02:1):0;let{position:r}=this.app.camera;(this.lampsAt.distanceTo(r)>1||this.lampsVersion!==t.version)&&this.nearestLamps(t)}takeSky(e){let t=this.uniforms,n=this.dark?0:1;this.sunWay.set(...e.sun.direction).normalize(),t.sunLight.value.set(...e.light.sun).multiplyScalar(n),t.zenith.value.set(...e.light.zenith).multiplyScalar(n),t.horizon.value.set(...e.light.horizon).multiplyScalar(n),t.cave.value.setScalar(cF*(1-n)),t.wind.value.set(...e.wind.mean),t.extinction.value=e.extinction,t.cloudCover.value=e.cloud??0}nearestLamps(e){let{position:t}=this.app.camera;this.lampsAt.copy(t),this.lampsVersion=e.version;let n=[...e.lamps()].map(a=>({lamp:a,away:t.distanceTo(new F(...a.place))})).filter(({away:a})=>a<fS).sort((a,l)=>a.away-l.away),s=n[Dr]?.away??fS,r=this.uniforms.lampPlace.value,o=this.uniforms.lampLight.value;for(let a=0;a<Dr;a++){if(r[a].w=0,!n[a])continue;let{lamp:l,away:c}=n[a];r[a].set(...l.place,Math.max(.001,Math.min(1,4*(s-c)/s))),o[a].set(...l.light)}}takeSpots(e){let{spot_p:t,spot_ahead:n,spot_light:s}=e.arrays,r=t?t.length/3:0,{origin:o,camera:a}=this.app,l=h=>new F(t[3*h]-o[0],t[3*h+1]-o[1],t[3*h+2]-o[2]),c=Array.from({length:r},(h,u)=>u);c.sort((h,u)=>l(h).distanceToSquared(a.position)-l(u).distanceToSquared(a.position));for(let h=0;h<tr;h++){let u=this.uniforms.spotPlace.value[h];u.w=2;let d=c[h];if(d===void 0)continue;let{x:p,y:f,z:y}=l(d);u.set(p,f,y,Math.min(s[4*d+3],.999)),this.uniforms.spotAhead.value[h].set(n[3*d],n[3*d+1],n[3*d+2]),this.uniforms.spotLight.value[h].set(s[4*d],s[4*d+1],s[4*d+2])}}};var U0=256,mS=2,gS=3,hF=4,uF=5,dF=6,pF=7,fF=9,mF={"":[0,1,0],bark:[.8,8,mS],rock:[.45,.375,gS],dripstone:[.3,.75,gS],soil:[.55,.75,hF],grass:[.45,.75,dF],brick:[.25,1.5,uF],wood:[.35,8,mS],concrete:[.2,.5,1],asphalt:[.25,3,1],metal:[.06,1,1],snow:[.06,.5,1],leaf:[.35,1,pF]},gF=[.15,.75,1],vF=.55,_F=.17,yF=8,ef=class{texture;data=new Float32Array(U0*8);rows=new Map;constructor(){this.texture=new fr(this.data,2,U0,Jn,ci),this.texture.minFilter=this.texture.magFilter=An,this.texture.needsUpdate=!0}row(e){let t=bF(e),n=t.map(o=>o.toFixed(2)).join(" "),s=this.rows.get(n);if(s!==void 0)return s;let r=Math.min(this.rows.size,U0-1);return this.rows.set(n,r),this.data.set(t,8*r),this.texture.needsUpdate=!0,r}};function bF(i){let e=i.surface==="leaf",[t,n,s]=mF[e?"leaf":i.texture]??gF,r=i.emission??(i.surface==="lamp"?yF:0),o=e?i.transparency?i.transparency/_F:vF:0,a=i.surface==="clear"?i.transparency??.8:0,l=i.label==="water"?fF:s,c=i.mirror??(i.surface==="mirror"?1:0);return[r,o,1-i.roughness,t,n,l,c,a]}var vS=[.1,16,60,220],O0=120,xF=72,B0=9,wF=[1,3,8],Wa=3,MF=`
#include <skinning_pars_vertex>
void main() {
  vec3 objectNormal = normal;
  vec3 transformed = position;
  #include <skinbase_vertex>
  #include <skinning_vertex>
  vec4 place = vec4(transformed, 1.0);
  #ifdef USE_INSTANCING
  place = instanceMatrix * place;
  #endif
  gl_Position = projectionMatrix * viewMatrix * modelMatrix * place;
}
`,tf=class{constructor(e,t,n,s){this.renderer=e;this.scene=t;this.fill=n;this.target=this.make(s)}renderer;scene;fill;uniforms={shade:{value:null},shadeMatrix:{value:[0,1,2,3].map(()=>new He().makeScale(0,0,0))},shadeBias:{value:new xt},sunShadows:{value:0},skyShadows:{value:0}};sun=!0;sky=!0;lazy=1;target;camera=new la;material=new Xt({vertexShader:MF,fragmentShader:"void main() {}",side:En,colorWrite:!1});turn=0;drawnVersion=[-1,-1,-1,-1];skyCentre=new F(1/0,0,0);sunWay=new F(0,0,1);get tile(){return this.target.width/2}set tile(e){e!==this.tile&&(this.target.depthTexture?.dispose(),this.target.dispose(),this.target=this.make(e),this.forget())}make(e){let t=new Ji(2*e,2*e,Ti);t.compareFunction=Vl,t.minFilter=t.magFilter=vn;let n=new Xn(2*e,2*e,{depthTexture:t});return this.renderer.setRenderTarget(n),this.renderer.clear(),this.renderer.setRenderTarget(null),n.scissorTest=!0,this.uniforms.shade.value=t,n}forget(){this.drawnVersion.fill(-1),this.skyCentre.x=1/0}update(e,t,n,s){this.sunWay.angleTo(t)>.004&&(this.sunWay.copy(t),this.drawnVersion.fill(-1,0,3));let r=this.sun&&n&&this.sunWay.z>.01;if(this.uniforms.sunShadows.value=r?1:0,this.uniforms.skyShadows.value=this.sky?1:0,this.turn+=1,r)for(let o=0;o<3;o++)((this.turn+o)%(this.lazy*wF[o])===0||this.drawnVersion[o]<0)&&this.drawCascade(o,e),this.drawnVersion[o]=s;this.sky&&this.updateSky(e,s)}updateSky(e,t){let n=Math.max(Math.abs(e.position.x-this.skyCentre.x),Math.abs(e.position.y-this.skyCentre.y)),s=this.drawnVersion[Wa]!==t&&this.turn%20===0;if(n<B0&&!s&&this.drawnVersion[Wa]>=0)return;let r=o=>Math.round(o/B0)*B0;this.skyCentre.set(r(e.position.x),r(e.position.y),r(e.position.z)),this.draw(Wa,this.skyCentre,new F(0,0,1),xF,2*O0),this.drawnVersion[Wa]=t}drawCascade(e,t){let[n,s]=[vS[e],vS[e+1]],r=Math.tan(t.fov*Math.PI/360),o=r*r*(1+t.aspect*t.aspect),a=Math.min(s,.5*(n+s)*(1+o)),l=Math.ceil(Math.hypot(s-a,s*Math.sqrt(o))*4)/4,c=t.getWorldDirection(new F).multiplyScalar(a).add(t.position);this.draw(e,c,this.sunWay,l,O0)}draw(e,t,n,s,r){let{camera:o,target:a,renderer:l,scene:c}=this,h=Math.abs(n.z)>.99?new F(0,1,0):new F(0,0,1);o.up.copy(h),o.position.set(0,0,0),o.lookAt(-n.x,-n.y,-n.z),o.updateMatrixWorld(!0);let u=t.clone().applyMatrix4(o.matrixWorldInverse),d=2*s/this.tile;u.x=Math.round(u.x/d)*d,u.y=Math.round(u.y/d)*d;let p=e===Wa?2*O0:s;o.left=u.x-s,o.right=u.x+s,o.bottom=u.y-s,o.top=u.y+s,o.near=-u.z-r-s,o.far=-u.z+p,o.updateProjectionMatrix();let f=new He().multiplyMatrices(o.projectionMatrix,o.matrixWorldInverse);this.fill(e+1,f),o.layers.set(nc(e+1)),this.render(e,o,a,l,c);let y=new He().set(.5,0,0,.5,0,.5,0,.5,0,0,.5,.5,0,0,0,1);this.uniforms.shadeMatrix.value[e].multiplyMatrices(y,f),this.uniforms.shadeBias.value.setComponent(e,1.6*d+.01);let m=e===Wa?0:.02/(o.far-o.near);this.uniforms.shadeMatrix.value[e].elements[14]-=m}render(e,t,n,s,r){let o=this.tile,[a,l]=[e%2*o,Math.floor(e/2)*o];n.viewport.set(a,l,o,o),n.scissor.set(a,l,o,o);let c=s.getRenderTarget();s.setRenderTarget(n),r.overrideMaterial=this.material,s.render(r,t),r.overrideMaterial=null,s.setRenderTarget(c)}};var SF=`
uniform mat4 ways;
varying vec3 vWay;
void main() {
  vec4 far = ways * vec4(position.xy, 1.0, 1.0);
  vWay = far.xyz / far.w;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}
`,AF=`
${Ha}
varying vec3 vWay;
uniform float dark;
${Oc}
${Bc}
void main() {
  vec3 way = normalize(vWay);
  vec3 light = skySeen(way, 10.0);
  // Under the horizon, where no world is: haze that darkens downwards.
  light *= 1.0 - 0.55 * smoothstep(0.0, -0.5, way.z);
  gl_FragColor = vec4(develop(mix(light, vec3(0.0), dark)), 1.0);
}
`,nf=class{material;constructor(e,t){let n={value:new He};this.material=new Xt({uniforms:{...t,ways:n,dark:{value:0}},vertexShader:SF,fragmentShader:AF,depthWrite:!1});let s=new ht;s.setAttribute("position",new ot(new Float32Array([-1,-1,0,3,-1,0,-1,3,0]),3));let r=new qt(s,this.material);r.frustumCulled=!1,r.renderOrder=10,r.onBeforeRender=(o,a,l)=>{let c=new He().extractRotation(l.matrixWorld);n.value.multiplyMatrices(c,l.projectionMatrixInverse)},e.scene.add(r)}set dark(e){this.material.uniforms.dark.value=e}};var _S=`
void dissolve(vec3 place, float away, float thin) {
  float share = thin > 0.0 ? 1.0 - smoothstep(0.9, 1.5, away) : 0.0;
  if (focus.w > 0.0) {
    vec3 axis = focus.xyz - cameraPosition;
    float far = length(axis);
    float along = dot(place - cameraPosition, axis) / far;
    float aside = length(place - cameraPosition - axis * (along / far));
    float wide = focus.w * (0.35 + 0.65 * along / far);
    share = max(share, (1.0 - smoothstep(0.6 * wide, wide, aside)) * (1.0 - smoothstep(far - 1.2 * focus.w, far, along)));
  }
  float speckle = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  if (speckle < share * 0.95) discard;
}
`,yS=`
vec3 tinted(int kind, float strength, float a, float c) {
  float factor = 1.0 + strength * 0.45 * (a + c);
  vec3 tint = vec3(1.0);
  if (kind == 2) factor = 1.0 + strength * (1.1 * (min(abs(a + 0.5 * c), 1.0) - 0.5) + 0.25 * c);
  else if (kind == 7) tint = vec3(1.0 + 0.2 * a * strength, 1.0, 1.0 - 0.2 * a * strength);
  else if (kind == 4) tint += vec3(0.4, 0.15, -0.1) * strength * clamp(0.7 * a + 0.5 * c - 0.1, 0.0, 1.0);
  else if (kind == 6) tint += vec3(0.4, 0.1, -0.1) * strength * clamp(1.4 * a + 0.6 * c - 0.7, 0.0, 1.0);
  return tint * max(factor, 0.15);
}

float mortar(float along, float z) {
  float course = floor(z / 0.08);
  float u = fract(along / 0.25 + 0.5 * mod(course, 2.0));
  float v = fract(z / 0.08);
  return u < 0.05 || v < 0.13 ? 0.7 : 0.0;
}

void paint(vec3 at, float away, float strength, float frequency, int kind, inout vec3 colour, inout vec3 normal) {
  if (strength <= 0.0) return;
  strength *= 0.65;
  float along = kind == 2 ? 0.125 : 1.0;
  vec3 u = at * frequency * 8.0 * vec3(1.0, 1.0, along);
  vec4 coarse = noise(u);
  float c = 0.0;
  vec3 slope = coarse.yzw;
  if (kind != 7) {
    vec4 fine = noise(u * 7.25);
    c = fine.x;
    slope += fine.yzw;
  }
  colour *= tinted(kind, strength, coarse.x, c);
  if (kind == 5 && abs(normal.z) < 0.5) {
    float fade = 1.0 / (1.0 + away * away * 0.004);
    colour = mix(colour, vec3(0.35), fade * mortar(abs(normal.y) > abs(normal.x) ? at.x : at.y, at.z));
  }
  vec3 tilt = slope * 0.5 * strength * vec3(1.0, 1.0, along);
  normal = normalize(normal * (1.0 + dot(tilt, normal)) - tilt);
}
`;var EF=`
${Ha}
#include <skinning_pars_vertex>
attribute vec4 tint;
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vTint;
#ifdef MOVING
varying vec3 vAt;
#endif
flat varying vec4 vMatter;
flat varying vec4 vGrain;

vec3 linear_(vec3 c) {
  return mix(pow((c + 0.055) / 1.055, vec3(2.4)), c / 12.92, lessThan(c, vec3(0.04045)));
}

void main() {
  int row = int(tint.a * 255.0 + 0.5);
  vMatter = texelFetch(matters, ivec2(0, row), 0);
  vGrain = texelFetch(matters, ivec2(1, row), 0);
  vTint = linear_(tint.rgb);
  vec3 objectNormal = normal;
  #include <skinbase_vertex>
  #include <skinnormal_vertex>
  vec3 transformed = position;
  #include <skinning_vertex>
  mat4 X = modelMatrix;
  #ifdef USE_INSTANCING
  X = modelMatrix * instanceMatrix;
  #endif
  vec4 place = X * vec4(transformed, 1.0);
  // Scales of instances are near even: the matrix itself turns normals well enough.
  vNormal = mat3(X) * objectNormal;
  #ifdef MOVING
  vAt = position;
  #else
  if (vMatter.y > 0.0) {
    float speed = min(length(wind), 12.0);
    float sway = sin(seconds * (1.3 + fract(place.x * 0.13)) + place.x * 0.9 + place.y * 0.7);
    place.xyz += wind * (0.0025 * (0.6 + sway)) + vec3(0.0, 0.0, 0.0015 * speed * sway);
  }
  #endif
  vPlace = place.xyz;
  gl_Position = projectionMatrix * viewMatrix * place;
}
`,bS=`
${Ha}
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vTint;
#ifdef MOVING
varying vec3 vAt;
uniform vec3 highlight;
#endif
flat varying vec4 vMatter;
flat varying vec4 vGrain;
${Oc}
${Bc}
${F0}
${k0}
${yS}
${_S}

void main() {
  vec3 way = vPlace - cameraPosition;
  float away = length(way);
  way /= away;
  vec3 normal = normalize(vNormal);
  float thin = vMatter.y;
  #ifndef MOVING
  if (thin > 0.0 || int(vGrain.y) == 2) dissolve(vPlace, away, thin);
  #endif
  // Both sides of everything are seen; a leaf's smooth normals may point away.
  if (dot(normal, way) > 0.0 && (thin > 0.0 || !gl_FrontFacing)) normal = -normal;
  vec3 flatNormal = normal;
  vec3 colour = vTint;
  #ifdef MOVING
  paint(vAt, away, vMatter.w, vGrain.x, int(vGrain.y), colour, normal);
  #else
  paint(vPlace, away, vMatter.w, vGrain.x, int(vGrain.y), colour, normal);
  #endif
  Seen seen = seenFrom(vPlace, flatNormal, dot(flatNormal, sunWay), thin);
  float toward = max(-dot(normal, way), 0.0);
  vec3 sent = colour * (lightOn(seen, vPlace, normal, thin, toward, away) + vMatter.x);
  float gloss = max(vMatter.z, thin > 0.0 ? 0.35 : 0.0);
  if (gloss > 0.15) sent += shine(gloss, normal, sunWay - way) * seen.sun * sunLight;
  if (vGrain.z > 0.0 || gloss > 0.4) {
    vec3 back = reflect(way, normal);
    float part = vGrain.z + (1.0 - vGrain.z) * 0.5 * gloss * (0.04 + 0.96 * pow(1.0 - toward, 5.0));
    vec3 there = back.z > 0.0 ? skySeen(back, 0.0) : mix(horizon, 0.25 * (sunLight * sunWay.z + zenith), min(-back.z * 4.0, 1.0));
    sent = mix(sent, there * seen.near, clamp(part, 0.0, 1.0));
  }
  #ifdef MOVING
  sent += highlight * (0.25 + 0.75 * pow(1.0 - toward, 2.0)) / exposure;
  #endif
  gl_FragColor = vec4(develop(throughAir(sent, way, away, seen.near, cameraPosition)), 1.0);
}
`,TF=`
${Ha}
varying vec3 vPlace;
varying vec3 vNormal;
varying vec3 vTint;
flat varying vec4 vMatter;
flat varying vec4 vGrain;
${Oc}
${Bc}
${F0}
${k0}

void main() {
  vec3 way = vPlace - cameraPosition;
  float away = length(way);
  way /= away;
  vec3 normal = normalize(vNormal);
  if (dot(normal, way) > 0.0) normal = -normal;
  bool water = vGrain.y > 8.5;
  if (water) {
    vec2 p = vPlace.xy;
    vec2 drift = vec2(0.31, 0.17) * seconds;
    vec4 a = noise(vec3(p * 6.0 + drift * 4.0, seconds * 1.1));
    vec4 b = noise(vec3(p.yx * 17.0 - drift * 9.0, 30.0 + seconds * 2.1));
    float calm = 0.05 / (1.0 + away * 0.05);
    normal = normalize(normal - vec3((a.yz + 0.6 * b.zy) * calm, 0.0));
  }
  float toward = max(-dot(normal, way), 0.0);
  float mirror = 0.03 + 0.97 * pow(1.0 - toward, 5.0);
  Seen seen = seenFrom(vPlace, normal, 1.0, 0.0);
  vec3 back = reflect(way, normal);
  back.z = abs(back.z);
  vec3 sky = skySeen(back, 6.0 * seen.sun) * seen.near;
  vec3 body = vTint * lightOn(seen, vPlace, normal, 0.0, toward, away);
  float own = water ? 0.55 : 1.0 - vGrain.w;
  float cover = clamp(mirror + (1.0 - mirror) * own, 0.0, 1.0);
  vec3 sent = (sky * mirror + body * (1.0 - mirror) * own) / max(cover, 0.01);
  gl_FragColor = vec4(develop(throughAir(sent, way, away, seen.near, cameraPosition)), cover);
}
`,xS=i=>({SHADE_TILE:i.tile.toFixed(1),SKY_TAPS:String(i.skyTaps)}),sf=class{constructor(e,t){this.uniforms=e;this.effort=t;this.solid=this.make(bS,{}),this.clear=this.make(TF,{}),this.clear.transparent=!0,this.clear.depthWrite=!1}uniforms;effort;solid;clear;moving=[];forMoving(){let e=this.make(bS,{MOVING:""});return e.uniforms.highlight={value:[0,0,0]},this.moving.push(e),e}release(e){let t=this.moving.indexOf(e);t>=0&&this.moving.splice(t,1),e.dispose()}setEffort(e){if(!(e.tile===this.effort.tile&&e.skyTaps===this.effort.skyTaps)){this.effort=e;for(let t of[this.solid,this.clear,...this.moving])Object.assign(t.defines,xS(e)),t.needsUpdate=!0}}make(e,t){return new Xt({uniforms:{...this.uniforms},vertexShader:EF,fragmentShader:e,defines:{...xS(this.effort),...t},side:En})}};var qa=24,wS=9e3,CF=12e3,SS=`
uniform vec3 fall;
uniform vec3 corner;
uniform float seconds;
uniform float amount;
vec3 where(vec3 start, float swing) {
  vec3 p = start + fall * seconds;
  p.xy += swing * vec2(sin(seconds * 1.3 + start.z * 9.0), cos(seconds * 1.1 + start.x * 9.0));
  return corner + mod(p - corner, ${qa.toFixed(1)});
}
float fade(vec3 p) {
  return 1.0 - smoothstep(0.3, 0.5, distance(p, cameraPosition) / ${qa.toFixed(1)});
}
`,PF=`
${SS}
attribute float end;
varying float vFade;
void main() {
  vec3 p = where(position, 0.0);
  vFade = fade(p) * (1.0 - end);
  p -= normalize(fall) * end * 0.35;
  gl_Position = projectionMatrix * viewMatrix * vec4(p, 1.0);
}
`,RF=`
${SS}
uniform float size;
varying float vFade;
void main() {
  vec3 p = where(position, 0.25);
  vFade = fade(p);
  gl_Position = projectionMatrix * viewMatrix * vec4(p, 1.0);
  gl_PointSize = clamp(size / gl_Position.w, 1.0, 14.0);
}
`,IF=`
uniform vec3 colour;
uniform float amount;
varying float vFade;
void main() { gl_FragColor = vec4(colour, amount * vFade); }
`,LF=`
uniform vec3 colour;
uniform float amount;
varying float vFade;
void main() {
  float r = length(gl_PointCoord - 0.5);
  gl_FragColor = vec4(colour, amount * vFade * smoothstep(0.5, 0.2, r));
}
`;function MS(i,e,t){let n=N0(t),s=new Float32Array(3*i*e);for(let r=0;r<i;r++){let o=[n()*qa,n()*qa,n()*qa];for(let a=0;a<e;a++)s.set(o,3*(e*r+a))}return s}var rf=class{constructor(e,t){this.app=e;let n=new ht;n.setAttribute("position",new ot(MS(wS,2,2),3)),n.setAttribute("end",new ot(Float32Array.from({length:2*wS},(r,o)=>o%2),1));let s=new ht;s.setAttribute("position",new ot(MS(CF,1,3),3)),this.rain=this.make(t,n,[.72,.77,.85],-8.5,!0,0),this.snow=this.make(t,s,[.95,.96,1],-1.1,!1,18),this.dust=this.make(t,s,[.62,.5,.34],-.05,!1,7)}app;corner=new F;rain;snow;dust;update(){let{app:e}=this,t=e.sky,n=t&&e.layers.weather&&!e.world?.dark?t.weather:{rain:0,snow:0,dust:0};this.corner.copy(e.camera.position).subScalar(qa/2);let s=new F(...t?.wind.mean??[0,0,0]);this.rain.set(n.rain,.42,s),this.snow.set(n.snow,.95,s),this.dust.set(n.dust,.6,s)}make(e,t,n,s,r,o){let a=new Xt({uniforms:{seconds:e.seconds,fall:{value:new F},corner:{value:this.corner},amount:{value:0},size:{value:o},colour:{value:n}},vertexShader:r?PF:RF,fragmentShader:r?IF:LF,transparent:!0,depthWrite:!1}),l=t.clone(),c=r?new mi(l,a):new ji(l,a);return c.frustumCulled=!1,c.visible=!1,c.renderOrder=30,this.app.scene.add(c),new z0(c,l,a,s)}},z0=class{constructor(e,t,n,s){this.object=e;this.geometry=t;this.material=n;this.down=s}object;geometry;material;down;set(e,t,n){if(this.object.visible=e>.005,!this.object.visible)return;let s=this.geometry.getAttribute("position").count;this.geometry.setDrawRange(0,2*Math.ceil(s/2*Math.min(1,.15+e))),this.material.uniforms.amount.value=t*Math.min(1,.35+e),this.material.uniforms.fall.value.copy(n).setZ(n.z+this.down)}};var DF=1.5,NF=.13,FF=150,kF=250,of=class{constructor(e){this.app=e;let t=new ef;this.light=new Qp(e,t);let{tile:n,skyTaps:s}=e.quality.settings;this.shadows=new tf(e.renderer,e.scene,(o,a)=>this.fill(o,a),n);let r={...this.light.uniforms,...this.shadows.uniforms};this.surfaces=new sf(r,{tile:n,skyTaps:s}),this.chunks=new Kp(e,t,this.surfaces),this.sky=new nf(e,r),this.weather=new rf(e,r),this.exposure=new jp(e,r),e.events.on("origin",()=>this.restart()),e.events.on("quality",()=>this.restart()),e.events.on("world",()=>this.restart()),e.events.on("welcome",()=>this.toldKey="")}app;chunks;surfaces;light;exposure;shadows;triangles=0;binning=0;sky;weather;planes=new Float32Array(16);shadowPlanes=new Float32Array(16);binnedAt=new F(1/0,0,0);binnedWay=new F;binnedVersion=-1;binnedTime=0;toldTime=0;toldKey="";draw(e,t){let{app:n}=this;this.tellView(t),this.chunks.pump(e),this.chunks.ground.pump(),n.camera.updateMatrixWorld(!0),this.adapt(),this.light.update(e,this.chunks),this.exposure.update(e),this.weather.update(),this.rebin(t),this.shadows.sun=n.layers.shadows,this.shadows.sky=!this.light.dark,this.shadows.update(n.camera,this.light.sunWay,this.light.shining,this.chunks.version),n.renderer.render(n.scene,n.camera),this.exposure.measure(t)}adapt(){let{tile:e,skyTaps:t,lazy:n,reach:s}=this.app.quality.settings;this.shadows.tile=e,this.shadows.lazy=n,this.surfaces.setEffort({tile:e,skyTaps:t});let r=this.app.world?.chunk_size!=null;this.light.uniforms.reach.value=r?s:1e9,this.sky.dark=this.light.dark?1:0}restart(){this.binnedVersion=-1,this.binnedAt.x=1/0,this.shadows.forget()}get view(){let{camera:e,renderer:t,quality:n}=this.app,{x:s,y:r,z:o}=e.position,a=t.domElement.height/2/Math.tan(e.fov*Math.PI/360);return{x:s,y:r,z:o,focal:a,detail:n.settings.detail}}rebin(e){let{camera:t}=this.app,n=t.getWorldDirection(new F),s=this.binnedAt.distanceTo(t.position)>DF||this.binnedWay.angleTo(n)>NF,r=this.binnedVersion!==this.chunks.version&&e-this.binnedTime>FF;if(!s&&!r)return;let o=performance.now();aS(t,this.planes),this.triangles=L0(this.chunks,this.view,this.planes,Mr),this.binnedAt.copy(t.position),this.binnedWay.copy(n),this.binnedVersion=this.chunks.version,this.binnedTime=e,this.binning=performance.now()-o}fill(e,t){I0(t,this.shadowPlanes),L0(this.chunks,this.view,this.shadowPlanes,e)}tellView(e){if(e-this.toldTime<kF||!this.app.connection.open||!this.app.state)return;let t=this.app.cameras.p_W.map(r=>Math.round(r*10)/10),{reach:n}=this.app.quality.settings,s=`${t} ${n}`;s!==this.toldKey&&(this.toldTime=e,this.toldKey=s,this.app.connection.tell({do:"view",p:t,radius:n}))}};var UF=.1,AS=()=>new URLSearchParams(location.hash.slice(1)).get("k")??"";async function OF(i){let e=`${location.protocol==="https:"?"wss":"ws"}://${location.host}/ws`,t=new Id(i,e,AS());return window.addEventListener("hashchange",()=>t.renew(AS())),t.start(),await t.tried,t}async function BF(){let i=new nd,e=await OF(i),t=new Xu(document.getElementById("view"),i,e);t.quality=new $d(t);let n=new of(t);t.view=n,t.figures=new kd(t,n),t.cameras=new Zu(t,n);let s=new Qu(t,n),r=[new Od(t),new rd(t),new Td(t),new od(t),new td(t)],o=[new Pd(t),new sd(t)];new ad(t),window.volery=t,new Xp(t,document.getElementById("ui")),e.release();let a=performance.now(),l=c=>{requestAnimationFrame(l);let h=Math.max(0,(c-a)/1e3),u=Math.min(h,UF);a=c,zF(t),t.events.emit("frame",u),t.figures.update(performance.now()/1e3,Math.min(h,1)),s.update(u),t.cameras.update(u),r.forEach(d=>d.update()),o.forEach(d=>d.update(c)),n.draw(h,c),t.quality.measure(h)};requestAnimationFrame(l)}function zF(i){let{canvas:e,renderer:t,camera:n}=i,[s,r]=[e.clientWidth,e.clientHeight],o=Math.min(window.devicePixelRatio,2,i.quality.settings.ratio);e.width===Math.floor(s*o)&&e.height===Math.floor(r*o)||(t.setPixelRatio(o),t.setSize(s,r,!1),n.aspect=s/Math.max(r,1),n.updateProjectionMatrix())}BF();
